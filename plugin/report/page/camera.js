/* camera.js  A camera that orbits its target: by mouse, touch and keys. */
"use strict";

/* Mouse and fingers rotate and shift by pixels, and zoom by a factor. */
function steer(place, {rotate, shift, zoom, done, clicked}) {
    const fingers = new Map();
    let moved = 0;
    place.addEventListener("pointerdown", event => {
        place.setPointerCapture(event.pointerId);
        moved = fingers.size ? Infinity : 0;
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    place.addEventListener("pointermove", event => {
        const last = fingers.get(event.pointerId);
        if (!last)
            return;
        const [dx, dy] = [event.clientX - last[0], event.clientY - last[1]], other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
        moved += Math.hypot(dx, dy);
        fingers.set(event.pointerId, [event.clientX, event.clientY]);
        if (other) {
            const apart = p => Math.max(1, Math.hypot(p[0] - other[0], p[1] - other[1]));
            zoom(apart(last) / apart([event.clientX, event.clientY]));
            shift(dx / 2, dy / 2);
        } else if (event.shiftKey || event.buttons & 6) {
            shift(dx, dy);
        } else {
            rotate(dx, dy);
        }
        done();
    });
    for (const name of ["pointerup", "pointercancel"])
        place.addEventListener(name, event => {
            const box = place.getBoundingClientRect();
            if (fingers.delete(event.pointerId) && name === "pointerup" && moved < 5)
                clicked(event.clientX - box.left, event.clientY - box.top);
        });
    place.addEventListener("contextmenu", event => event.preventDefault());
    // scrolling past the scene must not zoom: it needs the focus, or a key
    place.addEventListener("wheel", event => {
        if (document.activeElement !== place && !event.ctrlKey)
            return;
        event.preventDefault();
        zoom(Math.exp(.0015 * event.deltaY));
        done();
    }, {passive: false});
}

/* up: a unit vector; changed(): the view has changed; clicked(x, y): a press without a drag, in
 * pixels of the element. */
function orbit(place, camera, up, changed, clicked) {
    const u = new THREE.Vector3(...up), side = new THREE.Vector3(Math.abs(u.y) > .9 ? 1 : 0, Math.abs(u.y) > .9 ? 0 : 1, 0);
    const e1 = side.clone().cross(u).normalize(), e2 = u.clone().cross(e1);
    /* carrier: the place that the camera follows, or null. target: relative to it, or to the
     * scene. */
    const view = {target: new THREE.Vector3(), carrier: null, distance: 1, turn: -1.1, lift: .35};
    const whole = {target: new THREE.Vector3(), distance: 1, near: 1};
    const apply = () => {
        const away = e1.clone().multiplyScalar(Math.cos(view.lift) * Math.cos(view.turn)).addScaledVector(e2, Math.cos(view.lift) * Math.sin(view.turn))
            .addScaledVector(u, Math.sin(view.lift));
        const centre = view.target.clone().add(view.carrier ?? new THREE.Vector3());
        camera.up.copy(u);
        camera.position.copy(centre).addScaledVector(away, view.distance);
        camera.lookAt(centre);
        camera.near = view.distance / 100;
        camera.far = view.distance * 200;
        camera.updateProjectionMatrix();
        camera.updateMatrixWorld();
    };
    let isMoved = false;
    const done = () => {
        isMoved = true;
        apply();
        changed();
    };
    /* Metres in a pixel at this distance. */
    const pixel = (distance = view.distance) => 2 * Math.tan(camera.fov * Math.PI / 360) * distance / Math.max(1, place.clientHeight);
    const rotate = (dx, dy) => {
        view.turn -= .008 * dx;
        view.lift = Math.max(-1.5, Math.min(1.5, view.lift + .008 * dy));
    };
    const shift = (dx, dy) => {
        const right = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 0), top = new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
        view.target.addScaledVector(right, -dx * pixel()).addScaledVector(top, dy * pixel());
    };
    const zoom = factor => {
        view.distance = Math.max(whole.distance / 200, Math.min(whole.distance * 20, view.distance * factor));
    };
    const reset = () => {
        view.target.copy(view.carrier ? new THREE.Vector3() : whole.target);
        Object.assign(view, {distance: view.carrier ? whole.near : whole.distance, turn: -1.1, lift: .35});
    };
    /* Makes the camera follow this place; null: it stays. The picture does not jump. */
    const follow = place => {
        if (view.carrier && !place)
            view.target.add(view.carrier);
        else if (place && !view.carrier)
            view.target.sub(new THREE.Vector3(...place));
        view.carrier = place && new THREE.Vector3(...place);
        apply();
    };
    steer(place, {rotate, shift, zoom, done, clicked});
    place.addEventListener("dblclick", () => {
        reset();
        done();
    });
    const keys = {ArrowLeft: () => rotate(-25, 0), ArrowRight: () => rotate(25, 0), ArrowUp: () => rotate(0, 25), ArrowDown: () => rotate(0, -25),
        "+": () => zoom(.8), "=": () => zoom(.8), "-": () => zoom(1.25), "0": reset, Home: reset};
    place.addEventListener("keydown", event => {
        if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        keys[event.key]();
        done();
    });
    const distanceOf = radius => .95 * radius / Math.sin(camera.fov * Math.PI / 360);
    /* Sets the extent of the view: of all of the run, and around a place that the camera
     * follows. */
    const frame = (target, radius, near) => {
        whole.target.set(...target);
        Object.assign(whole, {distance: distanceOf(radius), near: distanceOf(near)});
        reset();
        apply();
    };
    /* Call it when the extent has grown. */
    const widen = (target, radius, near) => {
        if (isMoved)
            whole.target.set(...target);
        else
            frame(target, radius, near);
    };
    return {apply, follow, frame, widen, pixel, view};
}
