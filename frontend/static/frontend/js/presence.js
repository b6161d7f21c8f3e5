// Who is at the table and whose time runs: dots, clocks, the countdown to a bot. Pure; the time of
// the server comes with its frames, and only the difference to it is kept.

import { say } from "./words.js";
import { h } from "./vdom.js";

/** When a player is told that time runs short, in seconds. */
export const WARNINGS = [30, 10];

/** @typedef {import("./types.d.ts").Clock & {heard: number}} HeardClock */
/** @typedef {import("./types.d.ts").PresenceFrame & {heard: number}} HeardPresence */

/**
 * A clock with the moment, by this machine, at which it was true.
 * @param {import("./types.d.ts").Clock|undefined} clock
 * @returns {HeardClock|null}
 */
export const clockAt = (clock, now = Date.now()) => (clock ? { ...clock, heard: now } : null);

/**
 * Who is there, with the moment, by this machine, at which it was so.
 * @param {import("./types.d.ts").PresenceFrame} frame
 * @returns {HeardPresence}
 */
export const presenceAt = (frame, now = Date.now()) => ({ ...frame, heard: now });

/**
 * The time of a seat now.
 * @param {number} seat
 * @param {HeardClock|null} clock
 * @returns {{move: number, bank: number}|null} milliseconds of the turn and of the bank; null
 *   where no clock is kept
 */
export function timeOf(seat, clock, now = Date.now()) {
  if (!clock?.move_ms) return null;
  const bank = clock.bank_ms[seat];
  if (clock.seat !== seat || clock.left_ms === null) return { move: clock.move_ms, bank };
  const left = Math.max(0, clock.left_ms - (now - clock.heard));
  return { move: Math.max(0, left - bank), bank: Math.min(bank, left) };
}

/** The seat that a bot threatens, and in how many seconds; null where none is. */
export function takeover({ presence, now }) {
  const seat = presence?.takeover?.seat;
  return seat === undefined ? null : { seat, seconds: takeoverIn(seat, presence, now?.()) };
}

/** What is said of the line to the server; why it is gone, where the server said so. */
export function connectionText({ connection, gone, phrases }) {
  if (connection === "gone") return phrases[`refused.${gone}`] ?? phrases["connection.outdated"];
  return phrases[`connection.${connection}`];
}

/** "1:05" */
export function clockText(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The warning that is due between two moments, or null: the seconds left. */
export function warningBetween(before, after) {
  if (before === null || after === null) return null;
  const of = ({ move, bank }) => (move + bank) / 1000;
  return WARNINGS.find((limit) => of(before) > limit && of(after) <= limit) ?? null;
}

/**
 * Seconds until a bot takes over, of the seat that it threatens; null elsewhere.
 * @param {number} seat
 * @param {HeardPresence|null} presence
 */
export function takeoverIn(seat, presence, now = Date.now()) {
  if (presence?.takeover?.seat !== seat) return null;
  const left = presence.takeover.left_ms - (now - presence.heard);
  return Math.max(0, Math.ceil(left / 1000));
}

/** The dot before a name: whether its player is there. */
export function presencePart(seat, view, { presence, phrases }) {
  const holder = view.holders?.[seat] ?? "";
  // Whoever is behind the table is told how many watch, not who is there now.
  if (!presence?.here.length || !holder.startsWith("p")) return null;
  const here = presence.here[seat];
  return h("span.presence", { class: { "is-here": here } }, [
    h("span.unseen", phrases[here ? "seat.here" : "seat.away"]),
  ]);
}

/** That a bot plays for the person of a seat, or when it will; null where it does not. */
export function awayWord(seat, view, { presence, phrases, now }) {
  if (/^bot:\w+:p/.test(view.holders?.[seat] ?? "")) return h("span.away-word", phrases["seat.lent"]);
  const left = takeoverIn(seat, presence, now?.());
  return left === null ? null : h("span.away-word", say(phrases, "seat.takeover", { seconds: String(left) }));
}

/**
 * The clock of a seat, null: of the seat whose time runs; nothing at a table without one.
 * @param {number|null} seat
 */
export function clockPart(seat, ctx) {
  seat ??= ctx.clock?.left_ms == null ? null : ctx.clock.seat;
  const time = seat === null ? null : timeOf(seat, ctx.clock, ctx.now?.());
  if (!time) return null;
  const runs = ctx.clock.seat === seat && ctx.clock.left_ms !== null;
  const low = runs && time.move + time.bank <= WARNINGS[0] * 1000;
  const { phrases } = ctx;
  return h("span.clock", { class: { "is-running": runs, "is-low": low } }, [
    h("span.unseen", `${phrases["clock.move"]} `),
    clockText(time.move),
    time.bank || runs
      ? h("span.bank", [h("span.unseen", ` ${phrases["clock.bank"]} `), ` +${clockText(time.bank)}`])
      : null,
  ]);
}
