// Browsers start no workers for pages that are opened from disk: the search of such a page runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe"), script = document.createElement("script");
      script.src = new URL(address, location.href).href;
      frame.hidden = true;
      frame.srcdoc = `<script>window.postMessage = (data) => parent.postMessage(data, "*")</script>${script.outerHTML}`;
      this.ready = new Promise((resolve) => { frame.onload = () => resolve(frame.contentWindow); });
      // the frame's own postMessage leads here, so that messages to it are events
      this.ready.then((inside) => addEventListener("message", (event) => {
        if (event.source === inside) this.dispatchEvent(new MessageEvent("message", { data: event.data }));
      }));
      document.body.append(frame);
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
}
