// The live view: asks the server (server.py) for the pose at values of the sliders, or with a link dragged to a target.
//
//   lissom.live = {updates, last, gizmo, sliders, choose(link), ask(kind, make)}       `last` is the last answer (posing.py)
//
// One question is under way at a time; of those asked meanwhile only the last is kept. So answers come in order, and a robot that
// takes long is behind by one answer, not by all.

const TRIES = 60; // questions for a target that the search has not settled at

class Live {
  constructor(player, data, panel) {
    Object.assign(this, { player, data, last: data.now, updates: 0, next: null, busy: false, ended: false, tries: 0 });
    this.sliders = new Sliders(panel, player.element, data, {
      slide: (k, values) => this.slide(k, values),
      neutral: () => this.ask("neutral", () => ({})),
      random: () => this.ask("random", () => ({})),
      link: (name) => this.choose(name),
      own: (own) => { this.gizmo.own = own; player.redraw(); },
      keep: (keep) => { this.keep = keep; },
    });
    this.gizmo = new Gizmo(player, { start: () => { this.pressed = null; }, change: (target, turning) => this.drag(target, turning), end: () => this.release() });
    this.keep = true;
    this.clicks();
    this.show(data.now);
    if (data.link !== null) this.choose(data.link);
  }

  /** A click on a link chooses it; turning the camera does not count. */
  clicks() {
    const { canvas } = this.player;
    canvas.addEventListener("pointerdown", (event) => { this.pressed = event.button ? null : [event.clientX, event.clientY]; }, true);
    canvas.addEventListener("pointerup", (event) => {
      const from = this.pressed; // null where a handle was pressed
      if (!from || Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 4) return;
      const box = canvas.getBoundingClientRect(), thing = this.player.pickThing(event.clientX - box.left, event.clientY - box.top);
      if (thing && this.data.links.includes(thing.body)) this.choose(thing.body);
    });
  }

  choose(link) {
    this.link = link;
    const at = this.data.links.indexOf(link);
    this.whole = this.data.whole[at];
    this.gizmo.turns = this.data.turns[at];
    this.sliders.showLink(link, this.whole, this.keep);
    this.place();
  }

  /** Puts the handles on the chosen link. */
  place() {
    const body = this.player.scene.bodies.indexOf(this.link);
    if (body < 0) return;
    const pose = this.last.poses[body];
    this.gizmo.place(pose.slice(0, 3), pose.slice(3));
  }

  slide(k, values) {
    this.wanted = { ...this.wanted, [k]: values[k] };
    this.ask("slide", () => {
      const all = this.last.values.map((value, n) => (this.wanted && n in this.wanted ? this.wanted[n] : value));
      this.wanted = null;
      return { values: all, tree_q: this.last.tree_q };
    });
  }

  drag(target, turning) {
    const orientation = turning || (this.whole && this.keep) ? target.turn : null;
    this.tries = 0;
    this.aim = { link: this.link, position: target.origin, orientation };
    this.ask(...this.toward(this.aim));
  }

  /** The question for a target, from the pose that is shown when it is asked. */
  toward(aim) { return ["drag", () => ({ ...aim, q: this.last.q, tree_q: this.last.tree_q })]; }

  release() {
    this.aim = null;
    this.place();
  }

  /** Asks, or remembers to ask once the answer to the question before has come. */
  ask(kind, data) {
    if (this.ended) return;
    this.next = [kind, data];
    if (!this.busy) this.run();
  }

  async run() {
    this.busy = true;
    while (this.next && !this.ended) {
      const [kind, data] = this.next;
      this.next = null;
      try {
        const reply = await fetch(kind, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data()) });
        const answer = await reply.json();
        if (reply.ok) this.show(answer); else this.sliders.refuse(answer.error);
        if (reply.ok && !answer.settled && !this.next && this.aim && this.tries++ < TRIES) this.next = this.toward(this.aim);
      } catch {
        this.stop();
      }
    }
    this.busy = false;
  }

  show(answer) {
    this.last = answer;
    this.updates++;
    this.player.showPoses({ poses: answer.poses.flat(), arrows: answer.arrows ? answer.arrows.flat() : undefined });
    this.sliders.show(answer);
    this.place();
  }

  stop() {
    this.ended = true;
    this.sliders.disable();
    this.gizmo.place(null);
    this.sliders.say("The program that served this robot has ended: the view can be turned, but joints no longer move.", true);
  }
}

(() => {
  const host = document.querySelector(".live");
  const data = JSON.parse(document.getElementById("live-data").textContent);
  lissom.live = new Live(lissom.players[0], data, host.querySelector(".live-panel"));
  if (window.parent !== window) window.parent.postMessage("lissom live", "*"); // see frame.js
})();
