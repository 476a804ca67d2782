// A browser starts no worker for a page that is a file, and the search is one. There, its script runs in
// a hidden frame in place of it.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = data => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        if (this.onmessage) this.onmessage(event);
      };
      const script = frame.contentDocument.createElement("script");
      script.src = address;
      this.ready = new Promise(resolve => { script.onload = resolve; });
      this.postMessage = data => {
        this.ready.then(() => inside.dispatchEvent(new MessageEvent("message", { data })));
      };
      this.terminate = () => frame.remove();
      frame.contentDocument.head.append(script);
    }
  };
  window.Worker = window.IFrameWorker;
}
