/* shapes.js  Solids and arrows by three.js. Of the other files only stage.js uses that library. */
"use strict";

/* The library, unpacked at its first use. */
let threeIsThere = null;
function loadThree() {
    threeIsThere ??= inflate(document.getElementById("three").textContent.trim(), "gzip").then(bytes => {
        document.head.append(element("script", null, new TextDecoder().decode(bytes)));
    });
    return threeIsThere;
}

/* Early versions have two of each type of geometry, one of them slow. */
const geometry = (name, ...sizes) => new (THREE[name + "BufferGeometry"] ?? THREE[name + "Geometry"])(...sizes);

/* A material with a colour of the page; repaint follows its light or dark mode. */
function material(kind, name, more) {
    const made = new THREE[`Mesh${kind}Material`]({color: new THREE.Color(colour(name)), ...more});
    made.userData.colour = name;
    return made;
}

const repaint = made => made?.userData.colour && made.color.set(colour(made.userData.colour));

/* The engine's cylinders and capsules lie along z, as arrows do here; the library's along y. */
const alongZ = (radius, length, around = 20, isOpen = false) => geometry("Cylinder", radius, radius, length, around, 1, isOpen).rotateX(Math.PI / 2);

/* The surface of a convex body or a mesh; a box if the page has no triangles of it. */
function surfaceOf([x, y, z], mesh) {
    if (!mesh)
        return geometry("Box", x, y, z);
    if (!mesh.form) {
        mesh.form = new THREE.BufferGeometry();
        mesh.form.setAttribute("position", new THREE.BufferAttribute(mesh.corners, 3));
        mesh.form.computeVertexNormals();
    }
    return mesh.form;
}

const solids = {
    mesh: (size, mesh) => [[surfaceOf(size, mesh), 0]],
    sphere: ([radius]) => [[geometry("Sphere", radius, 24, 16), 0]],
    box: ([x, y, z]) => [[geometry("Box", x, y, z), 0]],
    cylinder: ([radius, length]) => [[alongZ(radius, length), 0]],
    capsule: ([radius, length]) => [[alongZ(radius, length), 0], [geometry("Sphere", radius, 20, 12), length / 2],
        [geometry("Sphere", radius, 20, 12), -length / 2]],
};

/* Meshes of a shape other than a plane, at its place in the body. */
function solidOf(shape, look, meshes) {
    const group = new THREE.Group(), [a, b, c, d, e, f, g, h, i] = shape.rotation, [x, y, z] = shape.place;
    for (const [form, height] of solids[shape.kind](shape.size, meshes.get(shape.mesh))) {
        const mesh = new THREE.Mesh(form, look);
        mesh.position.set(0, 0, height);
        group.add(mesh);
    }
    group.applyMatrix4?.(new THREE.Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1)) ??
        group.applyMatrix(new THREE.Matrix4().set(a, b, c, x, d, e, f, y, g, h, i, z, 0, 0, 0, 1));
    return group;
}

/* Distance of the farthest point of a shape from the centre of its body, m. */
function reachOf({kind, size: [a, b, c], place}) {
    const box = () => Math.hypot(a, b, c) / 2, own = {sphere: () => a, box, mesh: box, capsule: () => a + b / 2, cylinder: () => Math.hypot(a, b / 2)}[kind]();
    return Math.hypot(...place) + own;
}

/* A body without a shape: rods from its centre to its joints. */
function skeletonOf(anchors, size, look) {
    const group = new THREE.Group(), z = new THREE.Vector3(0, 0, 1);
    const core = new THREE.Mesh(geometry("Sphere", .06 * size, 16, 12), look);
    group.add(core);
    for (const anchor of anchors) {
        const to = new THREE.Vector3(...anchor), length = to.length();
        if (length < 1e-6 * size)
            continue;
        const rod = new THREE.Mesh(alongZ(.035 * size, length, 12), look);
        rod.position.copy(to).multiplyScalar(.5);
        rod.quaternion.setFromUnitVectors(z, to.clone().divideScalar(length));
        group.add(rod);
    }
    return group;
}

/* A round part of a plane n.x = d about a point: ground with a grid, or a wall without one, which
 * is visible from its free side only. */
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

/* --- Arrows, many at once --- */

const torqueSweep = 1.5 * Math.PI;

/* Arrows for forces and arcs with a head for torques, of one colour: begin(), force(...) or
 * torque(...) for each, end(). */
function arrowsOf(name, opacity, most) {
    const look = material("Basic", name, {transparent: true, opacity, depthTest: false});
    // two pixels thick: a few sides suffice
    const kinds = {
        shaft: alongZ(1, 1, 5, true).translate(0, 0, .5), head: geometry("Cone", 1, 1, 7).rotateX(Math.PI / 2).translate(0, 0, .5),
        arc: geometry("Torus", 1, .035, 4, 28, torqueSweep),
    };
    const group = new THREE.Group(), z = new THREE.Vector3(0, 0, 1), counts = {}, made = {};
    for (const [kind, form] of Object.entries(kinds)) {
        made[kind] = new THREE.InstancedMesh(form, look, Math.max(1, 2 * most));
        made[kind].frustumCulled = false;
        made[kind].renderOrder = 2;
        group.add(made[kind]);
    }
    const m = new THREE.Matrix4(), q = new THREE.Quaternion(), s = new THREE.Vector3(), p = new THREE.Vector3();
    const add = (kind, matrix) => counts[kind] < made[kind].instanceMatrix.count && made[kind].setMatrixAt(counts[kind]++, matrix);
    const begin = () => Object.keys(kinds).forEach(kind => {
        counts[kind] = 0;
    });
    // unit: a unit vector
    const force = (from, unit, length, radius) => {
        const head = Math.min(7 * radius, .6 * length), wide = 3 * head / 7;
        q.setFromUnitVectors(z, unit);
        add("shaft", m.compose(from, q, s.set(Math.min(radius, wide), Math.min(radius, wide), length - head)));
        add("head", m.compose(p.copy(from).addScaledVector(unit, length - head), q, s.set(wide, wide, head)));
    };
    const end1 = new THREE.Matrix4().compose(new THREE.Vector3(Math.cos(torqueSweep), Math.sin(torqueSweep), 0),
        new THREE.Quaternion().setFromUnitVectors(z, new THREE.Vector3(-Math.sin(torqueSweep), Math.cos(torqueSweep), 0)), new THREE.Vector3(.12, .12, .35));
    const torque = (centre, unit, radius) => {
        q.setFromUnitVectors(z, unit);
        m.compose(centre, q, s.set(radius, radius, radius));
        add("arc", m);
        add("head", m.multiply(end1));
    };
    const end = () => Object.keys(kinds).forEach(kind => {
        made[kind].count = counts[kind];
        made[kind].visible = counts[kind] > 0;
        made[kind].instanceMatrix.needsUpdate = true;
    });
    return {group, begin, force, torque, end};
}
