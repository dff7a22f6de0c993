// What is used of noVNC, which brings no types. Source: its docs/API.md, version 1.7.
declare module '@novnc/novnc' {
  class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: object, options?: { shared?: boolean });
    background: string;
    clipViewport: boolean;
    dragViewport: boolean;
    focusOnClick: boolean;
    qualityLevel: number;
    resizeSession: boolean;
    scaleViewport: boolean;
    viewOnly: boolean;
    blur(): void;
    clipboardPasteFrom(text: string): void;
    disconnect(): void;
    focus(options?: { preventScroll?: boolean }): void;
    // Its insides, for bounded-screen.ts.
    _FBU: { rects: number; x: number; y: number; width: number; height: number; encoding: number | null };
    _fbWidth: number;
    _fbHeight: number;
    _rfbConnectionState: string;
    _resize(width: number, height: number): void;
    _handleRect(): boolean;
    _handleDataRect(): boolean;
    _handleMessage(): void;
    _normalMsg(): boolean;
    _fail(details: string): void;
  }

  // biome-ignore lint/style/noDefaultExport: noVNC exports it so.
  export { RFB as default };
}
