// One command at a time on its way to the server: pending, then acknowledged, refused or stale.
// Nothing is queued while the line is down. A command that left and was not answered is sent again
// with the same `id` once the line is back: the server does it once, whatever arrives twice.

/** A name for a command that no other has; also where the page is not served over TLS. */
export function newId(random = (bytes) => crypto.getRandomValues(bytes)) {
  return Array.from(random(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {(message: object) => boolean} send false: the line is down, nothing has left
 * @param {() => void} onChange
 */
export function commandDesk(send, onChange) {
  const desk = {
    /** What is on its way: {message, seq}; `seq` once acknowledged and not yet seen in a frame. */
    pending: null,
    /** Why the last command was not carried out: {code, clause?}. */
    fault: null,

    /** @returns {boolean} whether it has left */
    issue(message) {
      if (desk.pending) return false;
      const whole = { ...message, id: newId() };
      if (!send(whole)) {
        desk.fault = { code: "offline" };
        onChange();
        return false;
      }
      desk.pending = { message: whole, seq: null, stale: false };
      desk.fault = null;
      onChange();
      return true;
    },

    /**
     * A frame of the server's; true if it answered the pending command.
     * @param {import("./types.d.ts").Frame} frame
     * @param {number} seq the last event that the page has seen
     */
    heard(frame, seq) {
      const { pending } = desk;
      if (!pending || !("id" in frame) || frame.id !== pending.message.id) return false;
      if (frame.t === "ack") {
        if (frame.seq > seq) pending.seq = frame.seq;
        else desk.pending = null;
      } else if (frame.t === "refused" || frame.t === "error") {
        desk.pending = null;
        desk.fault = { code: frame.code, clause: frame.t === "refused" ? frame.clause : undefined };
      } else if (frame.t === "stale") {
        pending.stale = true;
      } else {
        return false;
      }
      onChange();
      return true;
    },

    /** The table has been seen up to `seq`. */
    seen(seq) {
      if (desk.pending?.seq && desk.pending.seq <= seq) desk.pending = null;
    },

    /** The line is back: what was not answered goes again, the same. */
    resend() {
      const { pending } = desk;
      if (pending && pending.seq === null && !pending.stale) send(pending.message);
    },

    /** The table had moved on: send the same move for what it is now, or give it up. */
    settleStale(isStillLegal, seq) {
      const { pending } = desk;
      if (!pending?.stale) return;
      if (isStillLegal && send({ ...pending.message, seq })) {
        desk.pending = { message: { ...pending.message, seq }, seq: null, stale: false };
      } else {
        desk.pending = null;
        desk.fault = { code: "stale" };
      }
      onChange();
    },

    forget() {
      desk.fault = null;
    },
  };
  return desk;
}
