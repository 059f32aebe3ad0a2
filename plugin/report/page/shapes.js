/* shapes.js  Solids and arrows by three.js. Nothing else of the page but stage.js knows that library. */
"use strict";

/* The library, which is unpacked when it is first needed. */
let threeIsThere = null;
function loadThree() {
    threeIsThere ??= inflate(document.getElementById("three").textContent.trim(), "gzip").then(bytes => {
        document.head.append(element("script", null, new TextDecoder().decode(bytes)));
    });
    return threeIsThere;
}

/* Its early versions have two of each kind of geometry, of which the one is slow. */
const geometry = (name, ...sizes) => new (THREE[name + "BufferGeometry"] ?? THREE[name + "Geometry"])(...sizes);

/* A material of a colour of the page, which it follows from light to dark: repaint. */
function material(kind, name, more) {
    const made = new THREE[`Mesh${kind}Material`]({color: new THREE.Color(colour(name)), ...more});
    made.userData.colour = name;
    return made;
}

const repaint = made => made?.userData.colour && made.color.set(colour(made.userData.colour));

/* The engine's cylinders and capsules lie along z, as arrows do here; the library's along y. */
const alongZ = (radius, length, around = 20, isOpen = false) => geometry("Cylinder", radius, radius, length, around, 1, isOpen).rotateX(Math.PI / 2);

/* What solids are made of, stretched: parts of one form are drawn at once. Of many, each has few corners. */
function formsOf({bodies, meshes}) {
    const around = bodies.length > 50 ? 12 : 24;
    return {meshes, sphere: geometry("Sphere", 1, around, 2 * around / 3), box: geometry("Box", 1, 1, 1), cylinder: alongZ(1, 1, around)};
}

/* A convex body or a mesh, as it is; a box where the page has no triangles of it. */
function surfaceOf(forms, size, mesh) {
    if (!mesh)
        return [forms.box, size, 0];
    if (!mesh.form) {
        mesh.form = new THREE.BufferGeometry();
        mesh.form.setAttribute("position", new THREE.BufferAttribute(mesh.corners, 3));
        mesh.form.computeVertexNormals();
    }
    return [mesh.form, [1, 1, 1], 0];
}

/* Of each part its form, its sizes, and where along z it is. */
const ball = (forms, radius, height = 0) => [forms.sphere, [radius, radius, radius], height];
const rod = (forms, radius, length) => [forms.cylinder, [radius, radius, length], 0];
const solids = {
    mesh: (forms, size, mesh) => [surfaceOf(forms, size, forms.meshes.get(mesh))],
    sphere: (forms, [radius]) => [ball(forms, radius)],
    box: (forms, size) => [[forms.box, size, 0]],
    cylinder: (forms, [radius, length]) => [rod(forms, radius, length)],
    capsule: (forms, [radius, length]) => [rod(forms, radius, length), ball(forms, radius, length / 2), ball(forms, radius, -length / 2)],
};

function partOf([form, [x, y, z], height], look) {
    const mesh = new THREE.Mesh(form, look);
    mesh.scale.set(x, y, z);
    mesh.position.set(0, 0, height);
    return mesh;
}

/* Meshes of a shape that is no plane, in its place in the body. */
function solidOf(shape, look, forms) {
    const group = new THREE.Group(), [a, b, c, d, e, f, g, h, i] = shape.rotation, [x, y, z] = shape.place;
    group.add(...solids[shape.kind](forms, shape.size, shape.mesh).map(part => partOf(part, look)));
    group.applyMatrix4?.(new THREE.Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1)) ??
        group.applyMatrix(new THREE.Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1));
    return group;
}

/* m: how far a shape reaches from the middle of its body. */
function reachOf({kind, size: [a, b, c], place}) {
    const box = () => Math.hypot(a, b, c) / 2, own = {sphere: () => a, box, mesh: box, capsule: () => a + b / 2, cylinder: () => Math.hypot(a, b / 2)}[kind]();
    return Math.hypot(...place) + own;
}

/* A body that nobody has given a shape: rods from its middle to its joints. */
function skeletonOf(anchors, size, look, forms) {
    const group = new THREE.Group(), z = new THREE.Vector3(0, 0, 1);
    group.add(partOf(ball(forms, .06 * size), look));
    for (const anchor of anchors) {
        const to = new THREE.Vector3(...anchor), length = to.length();
        if (length < 1e-6 * size)
            continue;
        const part = partOf(rod(forms, .035 * size, length), look);
        part.position.copy(to).multiplyScalar(.5);
        part.quaternion.setFromUnitVectors(z, to.clone().divideScalar(length));
        group.add(part);
    }
    return group;
}

/* A round piece of a plane n.x = d around a point, with a grid; a wall is seen from its free side only. */
function groundOf([a, b, c, d], centre, radius, isWall) {
    const group = new THREE.Group(), n = new THREE.Vector3(a, b, c), z = new THREE.Vector3(0, 0, 1);
    const cell = round125(radius / 12), half = Math.ceil(radius / cell), points = [];
    for (let i = -half; i <= half; i++) {
        const reach = Math.sqrt(Math.max(0, radius * radius - i * i * cell * cell));
        points.push(-reach, i * cell, 0, reach, i * cell, 0, i * cell, -reach, 0, i * cell, reach, 0);
    }
    const lines = new THREE.BufferGeometry();
    lines.setAttribute("position", new THREE.BufferAttribute(new Float32Array(points), 3));
    group.add(new THREE.Mesh(geometry("Circle", radius, 64), material("Basic", "ground", {side: isWall ? THREE.FrontSide : THREE.DoubleSide,
        polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1})));
    if (!isWall)
        group.add(new THREE.LineSegments(lines, material("Basic", "line")));
    group.quaternion.setFromUnitVectors(z, n.clone().normalize());
    const from = new THREE.Vector3(...centre), height = (d - n.dot(from)) / n.lengthSq();
    group.position.copy(from.addScaledVector(n, height));
    return group;
}

/* --- Many at once --- */

/* Meshes of one form and colour: begin(), put(matrix) each, end(). */
function instancesOf(form, look, most) {
    const set = new THREE.InstancedMesh(form, look, Math.max(1, most));
    set.frustumCulled = false;
    set.begin = () => {
        set.count = 0;
    };
    set.put = matrix => set.count < most && set.setMatrixAt(set.count++, matrix);
    set.end = () => {
        set.visible = set.count > 0;
        set.instanceMatrix.needsUpdate = set.visible;
    };
    return set;
}

const torqueSweep = 1.5 * Math.PI;

/* Arrows, or arcs with a head, of one colour: begin(), put(...) each, end(). */
function arrowsOf(name, opacity, most) {
    const look = material("Basic", name, {transparent: true, opacity, depthTest: false});
    // two pixels thin: few sides do
    const kinds = {
        shaft: alongZ(1, 1, 5, true).translate(0, 0, .5), head: geometry("Cone", 1, 1, 7).rotateX(Math.PI / 2).translate(0, 0, .5),
        arc: geometry("Torus", 1, .035, 4, 28, torqueSweep),
    };
    const group = new THREE.Group(), z = new THREE.Vector3(0, 0, 1);
    const made = Object.fromEntries(Object.entries(kinds).map(([kind, form]) => [kind, instancesOf(form, look, 2 * most)]));
    for (const set of Object.values(made)) {
        set.renderOrder = 2;
        group.add(set);
    }
    const m = new THREE.Matrix4(), q = new THREE.Quaternion(), s = new THREE.Vector3(), p = new THREE.Vector3();
    const begin = () => Object.values(made).forEach(set => set.begin());
    // unit: a unit vector
    const force = (from, unit, length, radius) => {
        const head = Math.min(7 * radius, .6 * length), wide = 3 * head / 7;
        q.setFromUnitVectors(z, unit);
        made.shaft.put(m.compose(from, q, s.set(Math.min(radius, wide), Math.min(radius, wide), length - head)));
        made.head.put(m.compose(p.copy(from).addScaledVector(unit, length - head), q, s.set(wide, wide, head)));
    };
    const end1 = new THREE.Matrix4().compose(new THREE.Vector3(Math.cos(torqueSweep), Math.sin(torqueSweep), 0),
        new THREE.Quaternion().setFromUnitVectors(z, new THREE.Vector3(-Math.sin(torqueSweep), Math.cos(torqueSweep), 0)), new THREE.Vector3(.12, .12, .35));
    const torque = (centre, unit, radius) => {
        q.setFromUnitVectors(z, unit);
        m.compose(centre, q, s.set(radius, radius, radius));
        made.arc.put(m);
        made.head.put(m.multiply(end1));
    };
    const end = () => Object.values(made).forEach(set => set.end());
    return {group, begin, force, torque, end};
}
