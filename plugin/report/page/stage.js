/* stage.js  The scene: bodies, joints by verdict, ground, arrows, at a time of the run. */
"use strict";

const acting = [...values, "contact"];
/* A force as large as the scale is so long, px; longer ones are cut. Of many joints each has less room. */
const arrowLength = 80, arrowMost = 1.6, arrowLeast = .03, ringRadius = 26;

/* Where each joint is in a body's axes, by the first frame that has it. */
function anchorsOf(motion) {
    const anchors = new Map(motion.bodies.map(body => [body.number, []]));
    for (const joint of motion.joints) {
        const at = {frame: joint.places.findIndex(i => i >= 0), share: 0}, found = jointAt(motion, joint, at);
        for (const number of found ? joint.bodies : []) {
            const pose = number ? poseAt(motion.byNumber.get(number), at) : null;
            if (pose)
                anchors.get(number).push(localOf(pose, found.place));
        }
    }
    return anchors;
}

/* A ball around where bodies are at first, and in most of the run: those that fly away are not followed. */
function ballAround(motion, reach) {
    const points = [];
    for (const body of motion.bodies) {
        const every = Math.max(1, Math.ceil(body.place[0].length / 50));
        for (let i = 0; i < body.place[0].length; i += every)
            points.push(body.place.map(column => column[i]));
    }
    const middle = (k, share) => {
        const sorted = points.map(point => point[k]).sort((a, b) => a - b);
        return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    };
    const first = motion.bodies.map(body => poseAt(body, {frame: 0, share: 0})?.place).filter(Boolean);
    const low = [0, 1, 2].map(k => Math.min(middle(k, .03), ...first.map(point => point[k])));
    const high = [0, 1, 2].map(k => Math.max(middle(k, .97), ...first.map(point => point[k])));
    return {centre: low.map((x, k) => (x + high[k]) / 2), radius: Math.hypot(...low.map((x, k) => high[k] - x)) / 2 + reach};
}

/* Without a graphics card smooth edges take half of the time. null: there is no WebGL. */
function rendererOf() {
    const probe = document.createElement("canvas").getContext("webgl"), info = probe?.getExtension("WEBGL_debug_renderer_info");
    const isSoft = /swiftshader|llvmpipe|software/i.test(info ? probe.getParameter(info.UNMASKED_RENDERER_WEBGL) : "");
    probe?.getExtension("WEBGL_lose_context")?.loseContext();
    try {
        return new THREE.WebGLRenderer({antialias: !isSoft, alpha: true});
    } catch {
        return null;
    }
}

/* picked({joint} or {body} or null): what was clicked; redraw(): the camera asks for another picture. null: there is no WebGL. */
function stage(place, motion, picked, redraw) {
    const renderer = rendererOf();
    if (!renderer)
        return null;
    const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(36, 1, .1, 100);
    const size = Math.hypot(...motion.gravity), up = size > 0 ? motion.gravity.map(x => -x / size) : [0, 0, 1];
    const anchors = anchorsOf(motion), standing = motion.standing.filter(shape => shape.kind !== "plane");
    const spans = [...anchors.values()].flatMap(list => list.map(point => Math.hypot(...point)));
    const reaches = [...spans, ...motion.bodies.flatMap(body => body.shapes.map(reachOf))], typical = quantileOf(reaches, .5) || 1;
    const ball = ballAround(motion, 1.2 * (quantileOf(reaches, .9) || 1)), materials = {}, cleaned = [];
    const lambert = name => materials[name] ??= new THREE.MeshLambertMaterial({color: paint(name)});
    const light = new THREE.DirectionalLight(0xffffff, .5);
    light.position.set(...up).multiplyScalar(2).add(new THREE.Vector3(.9, -1.3, .4));
    scene.add(new THREE.AmbientLight(0xffffff, .55), light);
    const forms = motion.bodies.map((body, i) => {
        const group = new THREE.Group();
        const plain = lambert("body" + i % 4), shapes = body.shapes.map(shape => solidOf(shape, plain));
        group.add(...shapes.length ? shapes : [skeletonOf(anchors.get(body.number), Math.max(typical, .2 * ball.radius), plain)]);
        group.traverse(part => {
            part.userData.body = body;
        });
        scene.add(group);
        return {body, group, plain};
    });
    standing.forEach(shape => scene.add(solidOf(shape, lambert("standing"))));
    motion.standing.filter(shape => shape.kind === "plane").forEach(({size: plane}) => {
        const isWall = up.reduce((sum, x, i) => sum + x * plane[i], 0) < .5 * Math.hypot(...plane.slice(0, 3));
        scene.add(groundOf(plane, ball.centre, (isWall ? 1.2 : 4) * ball.radius, isWall));
    });
    const marks = motion.joints.map(joint => {
        const mark = new THREE.Mesh(geometry("Sphere", 1, 12, 8), null);
        mark.renderOrder = 1;
        scene.add(mark);
        return {joint, mark};
    });
    const dot = name => materials["mark " + name] ??= new THREE.MeshBasicMaterial({color: paint(name), depthTest: false, transparent: true, opacity: .85});
    const halo = new THREE.Mesh(geometry("Sphere", 1, 20, 12), new THREE.MeshBasicMaterial({color: paint("focus"), depthTest: false, transparent: true, opacity: .35}));
    scene.add(halo);
    const most = Math.max(motion.joints.length, 1), arrows = {}, room = Math.max(.5, Math.min(1, Math.sqrt(12 / most)));
    for (const name of acting) {
        const count = name === "contact" ? Math.max(1, motion.contacts.length) : most;
        arrows[name] = {firm: arrowsOf(name, .95, count), pale: arrowsOf(name, .35, count)};
        scene.add(arrows[name].firm.group, arrows[name].pale.group);
    }
    const canvas = renderer.domElement;
    canvas.setAttribute("aria-hidden", "true");
    place.prepend(canvas);
    const view = orbit(place, camera, up, redraw, (x, y) => picked(pick(x, y)));
    view.frame(ball.centre, ball.radius);
    const scale = {force: scaleOf(motion, "force"), torque: scaleOf(motion, "torque")};
    let joints = [], last = null;
    const v = new THREE.Vector3(), w = new THREE.Vector3();
    /* Where a point is seen, px. */
    const seenAt = point => {
        v.set(...point).project(camera);
        return [(v.x + 1) / 2 * place.clientWidth, (1 - v.y) / 2 * place.clientHeight, v.z];
    };
    const depthOf = point => v.set(...point).sub(camera.position).dot(camera.getWorldDirection(w));
    const pixelAt = point => view.pixel(Math.max(camera.near, depthOf(point)));
    const pick = (x, y) => {
        const near = joints.map(found => ({found, away: Math.hypot(seenAt(found.at.place)[0] - x, seenAt(found.at.place)[1] - y)}))
            .reduce((best, one) => one.away < best.away ? one : best, {away: 11});
        if (near.found)
            return {joint: near.found.joint};
        const ray = new THREE.Raycaster();
        ray.setFromCamera({x: 2 * x / place.clientWidth - 1, y: 1 - 2 * y / place.clientHeight}, camera);
        const hit = ray.intersectObjects(forms.filter(form => form.group.visible).map(form => form.group), true)[0];
        return hit ? {body: hit.object.userData.body} : null;
    };
    /* A wrench at a place: arrow `lane` lies beside the others by its own width. */
    const drawForce = (set, point, force, lane) => {
        const length = Math.hypot(...force) / scale.force;
        if (!(length > arrowLeast))
            return;
        const pixel = pixelAt(point), unit = new THREE.Vector3(...force).normalize();
        const beside = unit.clone().cross(camera.getWorldDirection(w)).normalize().multiplyScalar(5 * room * pixel * lane);
        const long = Math.min(length, arrowMost) * arrowLength * room;
        set.force(new THREE.Vector3(...point).add(beside), unit, long * pixel, Math.min(1.3 * room, .05 * long + .3) * pixel);
    };
    const drawTorque = (set, point, torque, lane) => {
        const part = Math.hypot(...torque) / scale.torque;
        if (part > arrowLeast)
            set.torque(new THREE.Vector3(...point), new THREE.Vector3(...torque).normalize(),
                (ringRadius * room * Math.sqrt(Math.min(part, 1.5)) + 3 * lane) * pixelAt(point));
    };
    const drawBodies = (at, chosen) => forms.forEach(({body, group, plain}) => {
        const pose = poseAt(body, at);
        group.visible = pose !== null;
        if (!pose)
            return;
        group.position.set(...pose.place);
        group.quaternion.set(pose.turn[1], pose.turn[2], pose.turn[3], pose.turn[0]);
        const material = chosen?.body === body ? lambert("chosen") : plain;
        group.traverse(part => {
            if (part.isMesh)
                part.material = material;
        });
    });
    const drawJoints = (at, {chosen, shown, worst}) => {
        joints = [];
        halo.visible = false;
        for (const {joint, mark} of marks) {
            const found = jointAt(motion, joint, at);
            mark.visible = found !== null;
            if (!found)
                continue;
            joints.push({joint, at: worst?.joint === joint ? {...found, ...worst.wrenches} : found});
            const isChosen = chosen?.joint === joint, pixel = pixelAt(found.place);
            mark.position.set(...found.place);
            mark.scale.setScalar((isChosen ? 5 : 3.5 * room) * pixel);
            mark.material = dot(found.state.verdict);
            if (isChosen) {
                halo.visible = true;
                halo.position.copy(mark.position);
                halo.scale.setScalar(11 * pixel);
            }
        }
        for (const {joint, at: found} of joints) {
            const isOthers = chosen?.joint && chosen.joint !== joint && shown.alone;
            values.forEach((value, lane) => {
                if (!shown[value] || isOthers)
                    return;
                const {firm, pale} = arrows[value], open = value === "physical" ? found.state.undetermined : 0;
                drawForce(open & 7 ? pale : firm, found.place, found[value].force, lane - 1);
                if (shown.torques && scale.torque > 0)
                    drawTorque(open >> 3 ? pale : firm, found.place, found[value].torque, lane);
            });
        }
    };
    const drawContacts = (at, shown) => motion.contacts.forEach(contact => {
        const i = contact.places[at.frame];
        if (i >= 0 && shown.contact)
            drawForce(arrows.contact.firm, contact.place.map(column => column[i]), contact.force.map(column => column[i]), 0);
    });
    const follow = (at, chosen) => {
        const found = chosen?.joint ? jointAt(motion, chosen.joint, at)?.place : chosen?.body ? poseAt(chosen.body, at)?.place : null;
        const all = () => motion.bodies.map(body => poseAt(body, at)?.place).filter(Boolean);
        const mean = list => [0, 1, 2].map(k => list.reduce((sum, point) => sum + point[k], 0) / Math.max(1, list.length));
        const now = found ?? mean(all());
        if (last)
            view.view.target.add(v.set(...now).sub(w.set(...last)));
        last = now;
        view.apply();
    };
    const each = call => acting.forEach(name => [arrows[name].firm, arrows[name].pale].forEach(set => set[call]()));
    const show = (at, options) => {
        if (options.follow)
            follow(at, options.chosen);
        else
            last = null;
        each("begin");
        drawBodies(at, options.chosen);
        drawJoints(at, options);
        drawContacts(at, options.shown);
        each("end");
        renderer.render(scene, camera);
    };
    const fit = () => {
        const [width, height] = [place.clientWidth, place.clientHeight];
        renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        view.apply();
    };
    const repaint = () => Object.entries(materials).forEach(([name, material]) => material.color.set(colour(name.replace("mark ", ""))));
    const end = () => {
        renderer.dispose();
        renderer.forceContextLoss();
        canvas.remove();
    };
    fit();
    return {show, fit, repaint, end, pick, seenAt, depthOf, scale, camera, canvas, view: view.view, drawn: {force: arrowLength * room, torque: 2 * ringRadius * room}, jointsNow: () => joints};
}
