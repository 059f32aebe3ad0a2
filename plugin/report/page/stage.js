/* stage.js  The scene: bodies, joints by verdict, ground, arrows, at a time of the run. */
"use strict";

const acting = [...values, "contact"];
/* Length of an arrow at the scale's maximum, px; longer arrows are cut. With many joints arrows are
 * smaller. */
const arrowLength = 80, arrowMost = 1.6, arrowLeast = .03, ringRadius = 26;

/* The position of each joint in its body's axes, from its first frame. */
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

/* A sphere around the bodies at the start and in most of the run, without bodies that fly away. */
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

/* Positions of the bodies at that time; null: none. */
function placesAt(motion, at) {
    const places = motion.bodies.map(body => poseAt(body, at)?.place).filter(Boolean);
    return places.length ? places : null;
}

/* The median of each coordinate: robust against bodies that fly away. */
const middleOf = places => [0, 1, 2].map(k => places.map(place => place[k]).sort((a, b) => a - b)[places.length >> 1]);

/* Median over the run of the largest distance of a body from the middle of the bodies. */
function spreadOf(motion) {
    const every = Math.ceil(motion.frames / 50), spreads = [];
    for (let frame = 0; frame < motion.frames; frame += every) {
        const places = placesAt(motion, {frame, share: 0});
        if (places) {
            const middle = middleOf(places);
            spreads.push(Math.max(...places.map(place => Math.hypot(...place.map((x, k) => x - middle[k])))));
        }
    }
    return quantileOf(spreads, .5);
}

/* Without a graphics card smooth edges take half of the time. null: no WebGL. */
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

/* --- Objects of the scene --- */

/* Each material is made once. */
function materialOf(s, name, make) {
    return s.materials[name] ??= make();
}

const lambert = (s, name) => materialOf(s, name, () => material("Lambert", name, {side: THREE.DoubleSide}));
const dot = (s, name) => materialOf(s, "mark " + name, () => material("Basic", name, {depthTest: false, transparent: true, opacity: .85}));

function addBodies(s, anchors, typical) {
    s.forms = s.motion.bodies.map((body, i) => {
        const group = new THREE.Group(), plain = lambert(s, "body" + i % 4), shapes = body.shapes.map(shape => solidOf(shape, plain, s.motion.meshes));
        group.add(...shapes.length ? shapes : [skeletonOf(anchors.get(body.number), Math.max(typical, .2 * Math.min(s.near, s.ball.radius)), plain)]);
        group.traverse(part => {
            part.userData.body = body;
        });
        s.scene.add(group);
        return {body, group, plain};
    });
}

function addStanding(s) {
    for (const shape of s.motion.standing) {
        const isWall = s.up.reduce((sum, x, i) => sum + x * shape.size[i], 0) < .5 * Math.hypot(...shape.size.slice(0, 3));
        s.scene.add(shape.kind === "plane" ? groundOf(shape.size, s.ball.centre, (isWall ? 1.2 : 4) * s.ball.radius, isWall) : solidOf(shape, lambert(s, "standing"), s.motion.meshes));
    }
    const light = new THREE.DirectionalLight(0xffffff, .5);
    light.position.set(...s.up).multiplyScalar(2).add(new THREE.Vector3(.9, -1.3, .4));
    s.scene.add(new THREE.AmbientLight(0xffffff, .55), light);
}

function addJoints(s) {
    // discs that face the camera, one call per verdict
    s.marks = Object.fromEntries(verdicts.map(verdict => {
        const set = new THREE.InstancedMesh(geometry("Circle", 1, 16), dot(s, verdict), Math.max(1, s.motion.joints.length));
        set.renderOrder = 1;
        set.frustumCulled = false;
        s.scene.add(set);
        return [verdict, set];
    }));
    s.halo = new THREE.Mesh(geometry("Sphere", 1, 20, 12), material("Basic", "focus", {depthTest: false, transparent: true, opacity: .35}));
    s.scene.add(s.halo);
    s.arrows = {};
    for (const name of acting) {
        const count = Math.max(1, name === "contact" ? s.motion.contacts.length : s.motion.joints.length);
        s.arrows[name] = {firm: arrowsOf(name, .95, count), pale: arrowsOf(name, .35, count)};
        s.scene.add(s.arrows[name].firm.group, s.arrows[name].pale.group);
    }
}

/* --- Projection --- */

/* The place in the picture, px, of a point in world axes; and its depth. */
function seenAt(s, point) {
    const v = new THREE.Vector3(...point).project(s.camera);
    return [(v.x + 1) / 2 * s.place.clientWidth, (1 - v.y) / 2 * s.place.clientHeight, v.z];
}

const forward = s => s.camera.getWorldDirection(new THREE.Vector3());
const depthOf = (s, point) => new THREE.Vector3(...point).sub(s.camera.position).dot(forward(s));
const pixelAt = (s, point) => s.orbit.pixel(Math.max(s.camera.near, depthOf(s, point)));

/* The object at this point of the picture: joints first, which are small. */
function pick(s, x, y) {
    const near = s.joints.map(({joint, at}) => ({joint, away: Math.hypot(seenAt(s, at.place)[0] - x, seenAt(s, at.place)[1] - y)}))
        .reduce((best, one) => one.away < best.away ? one : best, {away: 11});
    if (near.joint)
        return {joint: near.joint};
    const ray = new THREE.Raycaster();
    ray.setFromCamera({x: 2 * x / s.place.clientWidth - 1, y: 1 - 2 * y / s.place.clientHeight}, s.camera);
    const hit = ray.intersectObjects(s.forms.filter(form => form.group.visible).map(form => form.group), true)[0];
    return hit ? {body: hit.object.userData.body} : null;
}

/* --- A picture --- */

/* Arrows at one point lie side by side, each in its lane. */
function drawForce(s, set, point, force, lane) {
    const length = Math.hypot(...force) / s.scale.force;
    if (!(length > arrowLeast))
        return;
    const pixel = pixelAt(s, point), unit = new THREE.Vector3(...force).normalize();
    const beside = unit.clone().cross(forward(s)).normalize().multiplyScalar(5 * s.room * pixel * lane);
    const long = Math.min(length, arrowMost) * arrowLength * s.room;
    set.force(new THREE.Vector3(...point).add(beside), unit, long * pixel, Math.min(1.3 * s.room, .05 * long + .3) * pixel);
}

function drawTorque(s, set, point, torque, lane) {
    const part = Math.hypot(...torque) / s.scale.torque;
    if (part > arrowLeast)
        set.torque(new THREE.Vector3(...point), new THREE.Vector3(...torque).normalize(),
            (ringRadius * s.room * Math.sqrt(Math.min(part, 1.5)) + 3 * lane) * pixelAt(s, point));
}

function drawBodies(s, at, chosen) {
    for (const {body, group, plain} of s.forms) {
        const pose = poseAt(body, at), look = chosen?.body === body ? lambert(s, "chosen") : plain;
        group.visible = pose !== null;
        if (!pose)
            continue;
        group.position.set(...pose.place);
        group.quaternion.set(pose.turn[1], pose.turn[2], pose.turn[3], pose.turn[0]);
        group.traverse(part => {
            if (part.isMesh)
                part.material = look;
        });
    }
}

/* worst: the joint, and its wrenches at its worst moment. */
function drawMarks(s, at, {chosen, worst}) {
    const sets = Object.values(s.marks), place = new THREE.Vector3(), size = new THREE.Vector3(), matrix = new THREE.Matrix4();
    s.joints = [];
    s.halo.visible = false;
    sets.forEach(set => {
        set.count = 0;
    });
    for (const joint of s.motion.joints) {
        const found = jointAt(s.motion, joint, at), isChosen = chosen?.joint === joint, set = s.marks[found?.state.verdict];
        if (!found)
            continue;
        const pixel = pixelAt(s, found.place);
        s.joints.push({joint, at: worst?.joint === joint ? {...found, ...worst.wrenches} : found});
        place.set(...found.place);
        set.setMatrixAt(set.count++, matrix.compose(place, s.camera.quaternion, size.setScalar((isChosen ? 5 : 3.5 * s.room) * pixel)));
        if (isChosen) {
            s.halo.visible = true;
            s.halo.position.copy(place);
            s.halo.scale.setScalar(11 * pixel);
        }
    }
    for (const set of sets) {
        set.visible = set.count > 0;
        set.instanceMatrix.needsUpdate = true;
    }
}

function drawArrows(s, at, {chosen, shown}) {
    const sets = acting.flatMap(name => [s.arrows[name].firm, s.arrows[name].pale]);
    sets.forEach(set => set.begin());
    for (const {joint, at: found} of s.joints.filter(({joint}) => !shown.alone || !chosen?.joint || chosen.joint === joint)) {
        values.forEach((value, lane) => {
            const {firm, pale} = s.arrows[value], open = value === "physical" ? found.state.undetermined : 0;
            if (shown[value])
                drawForce(s, open & 7 ? pale : firm, found.place, found[value].force, lane - 1);
            if (shown[value] && shown.torques && s.scale.torque > 0)
                drawTorque(s, open >> 3 ? pale : firm, found.place, found[value].torque, lane);
        });
    }
    for (const contact of shown.contact ? s.motion.contacts : []) {
        const i = contact.places[at.frame];
        if (i >= 0)
            drawForce(s, s.arrows.contact.firm, contact.place.map(column => column[i]), contact.force.map(column => column[i]), 0);
    }
    sets.forEach(set => set.end());
}

/* Makes the camera follow the chosen object, or else the middle of the bodies. */
function followIt(s, at, chosen) {
    const found = chosen?.joint ? jointAt(s.motion, chosen.joint, at)?.place : chosen?.body ? poseAt(chosen.body, at)?.place : null;
    const places = found ? [found] : placesAt(s.motion, at);
    if (places)
        s.orbit.follow(middleOf(places));
}

/* Does the run go so far that bodies would be dots in a picture of all of it? */
const isTravelling = s => s.ball.radius > 4 * s.near;

/* options: chosen, shown, worst, follow */
function drawScene(s, at, options) {
    if (options.follow)
        followIt(s, at, options.chosen);
    else
        s.orbit.follow(null);
    drawBodies(s, at, options.chosen);
    drawMarks(s, at, options);
    drawArrows(s, at, options);
    s.renderer.render(s.scene, s.camera);
}

function fitScene(s) {
    s.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    s.renderer.setSize(s.place.clientWidth, s.place.clientHeight, false);
    s.camera.aspect = s.place.clientWidth / s.place.clientHeight;
    s.orbit.apply();
}

function endScene(s) {
    s.renderer.dispose();
    s.renderer.forceContextLoss();
    s.renderer.domElement.remove();
}

const scalesOf = motion => ({force: scaleOf(motion, "force"), torque: scaleOf(motion, "torque")});

/* Rebuilds all objects. */
function fillScene(s) {
    const {motion, scene} = s, anchors = anchorsOf(motion), spans = [...anchors.values()].flatMap(list => list.map(point => Math.hypot(...point)));
    const reaches = [...spans, ...motion.bodies.flatMap(body => body.shapes.map(reachOf))];
    scene.traverse(part => part.geometry?.dispose());
    scene.remove(...scene.children);
    s.reach = 1.2 * (quantileOf(reaches, .9) || 1);
    s.ball = ballAround(motion, s.reach);
    s.near = spreadOf(motion) + s.reach;
    s.scale = scalesOf(motion);
    s.room = Math.max(.5, Math.min(1, Math.sqrt(12 / Math.max(1, motion.joints.length))));
    addBodies(s, anchors, quantileOf(reaches, .5) || 1);
    addStanding(s);
    addJoints(s);
}

/* picked({joint} or {body} or null): the clicked object; redraw(): the camera needs another
 * picture. null: no WebGL. */
function stage(place, motion, picked, redraw) {
    const renderer = rendererOf();
    if (!renderer)
        return null;
    const gravity = Math.hypot(...motion.gravity), up = gravity > 0 ? motion.gravity.map(x => -x / gravity) : [0, 0, 1];
    const s = {place, motion, renderer, up, scene: new THREE.Scene(), camera: new THREE.PerspectiveCamera(36, 1, .1, 100), materials: {}, joints: []};
    fillScene(s);
    renderer.domElement.setAttribute("aria-hidden", "true");
    place.prepend(renderer.domElement);
    s.orbit = orbit(place, s.camera, up, redraw, (x, y) => picked(pick(s, x, y)));
    if (isTravelling(s))
        followIt(s, {frame: 0, share: 0}, null);
    s.orbit.frame(s.ball.centre, s.ball.radius, s.near);
    fitScene(s);
    return s;
}

/* Call it when the motion has grown. isNew: it has new objects. A camera that the reader has not
 * moved shows all of it. */
function growScene(s, isNew) {
    const ball = ballAround(s.motion, s.reach), hasGrown = ball.radius > 1.3 * s.ball.radius || Math.hypot(...ball.centre.map((x, k) => x - s.ball.centre[k])) > .3 * s.ball.radius;
    if (isNew || hasGrown)
        fillScene(s);
    else
        s.scale = scalesOf(s.motion);
    if (hasGrown)
        s.orbit.widen(s.ball.centre, s.ball.radius, s.near);
}

function repaintScene(s) {
    Object.values(s.materials).forEach(repaint);
    s.scene.traverse(part => repaint(part.material));
}
