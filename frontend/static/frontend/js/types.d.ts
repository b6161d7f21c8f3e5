// What a table's socket sends. Made from games/live/schema.py, to be changed there, by
// frontend/tools/frame_types.py.

export interface MatchFormat {
  target: number;
  deals: number;
  move_seconds: number;
  bank_seconds: number;
}

export interface OpenedData {
  profile: Record<string, any>;
  seats: number;
  format: MatchFormat;
  holders: string[];
  commitment: string;
}

export interface GameOpened {
  type: "game_opened";
  seq: number;
  at: string;
  by: string;
  data: OpenedData;
}

export interface StartedData {
  deal: number;
  dealer: number;
  starter: number;
  totals: number[];
  minimum: number[];
  hands: number[];
  pile: string[];
  stock: number;
  reserves: number;
  hand?: string[];
}

export interface DealStarted {
  type: "deal_started";
  seq: number;
  at: string;
  by: string;
  data: StartedData;
}

export interface DrawnData {
  seat: number;
  card?: string;
}

export interface CardDrawn {
  type: "card_drawn";
  seq: number;
  at: string;
  by: string;
  data: DrawnData;
}

export interface CardData {
  seat: number;
  card: string;
}

export interface CardRejected {
  type: "card_rejected";
  seq: number;
  at: string;
  by: string;
  data: CardData;
}

export interface TakenData {
  seat: number;
  count: number;
  cards?: string[];
}

export interface PileTaken {
  type: "pile_taken";
  seq: number;
  at: string;
  by: string;
  data: TakenData;
}

export interface Meld {
  cards: string[];
  set: boolean;
  wild: number | null;
  at_once: number;
  grade: "clean" | "dirty" | "run13" | "run14" | "semi" | null;
}

export interface LaidData {
  meld: number;
  cards: string[];
  result: Meld;
}

export interface MeldedData {
  seat: number;
  placements: LaidData[];
}

export interface Melded {
  type: "melded";
  seq: number;
  at: string;
  by: string;
  data: MeldedData;
}

export interface DiscardedData {
  seat: number;
  card: string;
  shown?: string;
  hand?: string[];
}

export interface Discarded {
  type: "discarded";
  seq: number;
  at: string;
  by: string;
  data: DiscardedData;
}

export interface ReserveData {
  seat: number;
  side: number;
  count: number;
  direct: boolean;
  cards?: string[];
}

export interface ReserveTaken {
  type: "reserve_taken";
  seq: number;
  at: string;
  by: string;
  data: ReserveData;
}

export interface CountData {
  count: number;
}

export interface ReserveBecameStock {
  type: "reserve_became_stock";
  seq: number;
  at: string;
  by: string;
  data: CountData;
}

export interface EndedData {
  reason: "closed" | "exhausted" | "ruling" | "time";
  seat: number | null;
  hand?: string[];
}

export interface DealEnded {
  type: "deal_ended";
  seq: number;
  at: string;
  by: string;
  data: EndedData;
}

export interface SheetLine {
  code: string;
  count: number;
  points: number;
}

export interface Sheet {
  lines: SheetLine[];
  total: number;
}

export interface ScoredData {
  sheets: Sheet[];
  totals: number[];
}

export interface DealScored {
  type: "deal_scored";
  seq: number;
  at: string;
  by: string;
  data: ScoredData;
}

export interface GameEndedData {
  reason: string;
  winner: number | null;
}

export interface GameEnded {
  type: "game_ended";
  seq: number;
  at: string;
  by: string;
  data: GameEndedData;
}

export interface SeedData {
  deal: number;
  seed: string;
  algorithm: string;
}

export interface SeedRevealed {
  type: "seed_revealed";
  seq: number;
  at: string;
  by: string;
  data: SeedData;
}

export interface SeatData {
  seat: number;
  holder: string;
  reason: string;
}

export interface SeatChanged {
  type: "seat_changed";
  seq: number;
  at: string;
  by: string;
  data: SeatData;
}

export interface Question {
  seat: number;
  what: "pause" | "resume" | "undo";
}

export interface Asked {
  type: "asked";
  seq: number;
  at: string;
  by: string;
  data: Question;
}

export interface AnsweredData {
  seat: number;
  what: "pause" | "resume" | "undo";
  grant: boolean;
}

export interface Answered {
  type: "answered";
  seq: number;
  at: string;
  by: string;
  data: AnsweredData;
}

export interface UnlaidData {
  meld: number;
  cards: string[];
  result: Meld | null;
}

export interface UndoneData {
  seat: number;
  placements: UnlaidData[];
}

export interface UndoGranted {
  type: "undo_granted";
  seq: number;
  at: string;
  by: string;
  data: UndoneData;
}

export interface ReasonData {
  reason: string;
}

export interface GamePaused {
  type: "game_paused";
  seq: number;
  at: string;
  by: string;
  data: ReasonData;
}

export interface GameResumed {
  type: "game_resumed";
  seq: number;
  at: string;
  by: string;
  data: ReasonData;
}

export interface ExpiredData {
  seat: number;
}

export interface ClockExpired {
  type: "clock_expired";
  seq: number;
  at: string;
  by: string;
  data: ExpiredData;
}

export interface CreditedData {
  ms: number;
  reason: string;
}

export interface ClockCredited {
  type: "clock_credited";
  seq: number;
  at: string;
  by: string;
  data: CreditedData;
}

export interface DealSizes {
  hand: number;
  reserve: number;
  jokers: number;
  upcard: boolean;
}

export interface TurnRules {
  pile: "closed" | "open";
  one_card_pile: "equal_held" | "equal_held_shown" | "free";
  first_card_may_be_rejected: boolean;
}

export interface ShownProfile {
  id: string;
  name: string;
  deal: DealSizes;
  turn: TurnRules;
}

export interface Pile {
  count: number;
  cards: string[];
}

export interface Ended {
  reason: "closed" | "exhausted" | "ruling" | "time";
  seat: number | null;
}

export interface View {
  game: string;
  seq: number;
  profile: ShownProfile;
  seats: number;
  audience: string;
  format: MatchFormat;
  deal: number;
  totals: number[];
  over: boolean;
  winner: number | null;
  sheets: Sheet[] | null;
  holders: string[];
  paused: boolean;
  asked: Question | null;
  dealer?: number;
  turn?: number;
  step?: "draw" | "play";
  first_turn?: boolean;
  minimum?: number[];
  hands?: number[];
  hand?: string[] | null;
  melds?: Meld[][];
  pile?: Pile;
  stock?: number;
  reserves?: number;
  taken?: boolean[];
  waiting?: boolean[];
  ended?: Ended | null;
  clauses?: Record<string, string>;
  hidden_own?: boolean;
  may_undo?: boolean;
  first_card?: string | null;
  single?: any;
}

export interface Clock {
  seat: number | null;
  move_ms: number;
  bank_ms: number[];
  left_ms: number | null;
  running_since: string | null;
  now: string;
  paused: boolean;
}

export interface SnapshotFrame {
  t: "snapshot";
  seq: number;
  view: View;
  names: string[];
  clock?: Clock;
}

export interface EventsFrame {
  t: "events";
  from: number;
  to: number;
  events: (GameOpened | DealStarted | CardDrawn | CardRejected | PileTaken | Melded | Discarded | ReserveTaken | ReserveBecameStock | DealEnded | DealScored | GameEnded | SeedRevealed | SeatChanged | Asked | Answered | UndoGranted | GamePaused | GameResumed | ClockExpired | ClockCredited)[];
  clock?: Clock;
}

export interface ResyncFrame {
  t: "resync";
}

export interface PongFrame {
  t: "pong";
  seq: number;
}

export interface AckFrame {
  t: "ack";
  id: string;
  seq?: number;
}

export interface RefusedFrame {
  t: "refused";
  id: string;
  code: string;
  clause: string;
  reason: string;
  seq: number;
}

export interface StaleFrame {
  t: "stale";
  id: string;
  seq: number;
}

export interface ErrorFrame {
  t: "error";
  code: string;
  reason: string;
  id?: string;
}

export interface Placement {
  cards: string[];
  result: string[];
  set: boolean;
  wild: number | null;
  grade: "clean" | "dirty" | "run13" | "run14" | "semi" | null;
  worth: number;
  onto?: number;
  layout?: string[];
  end?: "high" | "low";
}

export interface LegalFrame {
  t: "legal";
  seq: number;
  draw: boolean;
  take: boolean;
  reject: boolean;
  discards: string[];
  using: Placement[];
  melds: Placement[];
  combined: Placement[][];
}

export interface TriedFrame {
  t: "tried";
  id: string;
  seq: number;
  ok: boolean;
  laid: Placement[];
  worth: number;
  minimum: number;
  code?: string;
  clause?: string;
  reason?: string;
}

export interface Takeover {
  seat: number;
  at: string;
  left_ms: number;
}

export interface PresenceFrame {
  t: "presence";
  here: boolean[];
  bot: boolean[];
  watchers: number;
  takeover: Takeover | null;
}

export interface TalkFrame {
  t: "talk";
  room: "table" | "watchers";
  from: string | null;
  name: string | null;
  seat: number | null;
  phrase: string | null;
  text: string | null;
  at: string;
}

export type Event =
  | GameOpened
  | DealStarted
  | CardDrawn
  | CardRejected
  | PileTaken
  | Melded
  | Discarded
  | ReserveTaken
  | ReserveBecameStock
  | DealEnded
  | DealScored
  | GameEnded
  | SeedRevealed
  | SeatChanged
  | Asked
  | Answered
  | UndoGranted
  | GamePaused
  | GameResumed
  | ClockExpired
  | ClockCredited;

export type Frame =
  | SnapshotFrame
  | EventsFrame
  | ResyncFrame
  | PongFrame
  | AckFrame
  | RefusedFrame
  | StaleFrame
  | ErrorFrame
  | LegalFrame
  | TriedFrame
  | PresenceFrame
  | TalkFrame;
