// noVNC with bounds: its server is a program of the sandbox, and may say what no screen is, or so much to draw that the page stands still.
// What is larger than any screen ends the connection; what is much is drawn bit by bit, so that the page goes on. Knows noVNC's insides: its
// version is fixed, and the test looks whether they are still there.
/// <reference path="./novnc.d.ts" />
import RFB from '@novnc/novnc';

/** 8K. */
const mostPixels = 7_680 * 4_320;
/** How much is drawn before the page has its turn: 4K at 60 frames a second is 500,000 a millisecond. */
const mostInTurn = 66_000_000;
const perMs = 660_000;
/** Another size has the whole picture copied twice, by the processor. */
const resizeCost = 16;

export class BoundedScreen extends RFB {
  private spent = 0;
  private drewAt = 0;
  private isResting = false;

  override _resize(width: number, height: number): void {
    if (width * height > mostPixels) this._fail(`A screen of ${width} × ${height} is none.`);
    else super._resize(width, height);
  }

  override _handleDataRect(): boolean {
    const { x, y, width, height } = this._FBU;
    if (x + width <= this._fbWidth && y + height <= this._fbHeight) return super._handleDataRect();
    this._fail('A part of the picture is outside of the screen.');
    return false;
  }

  override _handleRect(): boolean {
    if (!this.hasTurn()) return false;
    const { width, height, encoding } = this._FBU;
    const beganAt = performance.now();
    const isDone = super._handleRect();
    this.drewAt = performance.now();
    const pixels = isDone ? width * height * (encoding !== null && encoding < 0 ? resizeCost : 1) : 0;
    // Where it is slow it costs the time that it took.
    this.spent += Math.max(pixels, (this.drewAt - beganAt) * perMs);
    return isDone;
  }

  /** As when bytes are missing: what is left is taken up again later. */
  private hasTurn(): boolean {
    if (this.isResting) return false;
    // Only time in which nothing was drawn is the page's.
    this.spent = Math.max(0, this.spent - (performance.now() - this.drewAt) * perMs);
    if (this.spent <= mostInTurn) return true;
    this.isResting = true;
    setTimeout(() => this.goOn(), this.spent / perMs);
    return false;
  }

  private goOn(): void {
    Object.assign(this, { isResting: false, spent: 0 });
    if (this._rfbConnectionState !== 'connected') return;
    // A part without bytes of its own is not seen in the queue.
    if (this._FBU.rects > 0) this._normalMsg();
    this._handleMessage();
  }
}
