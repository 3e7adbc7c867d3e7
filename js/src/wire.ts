/** The card: what the Jupyter server tells a page about one question. */

export type Action = 'accept' | 'decline' | 'cancel';

export type State =
  | 'queued'
  | 'pending'
  | 'shown'
  | 'accepted'
  | 'declined'
  | 'dismissed'
  | 'expired'
  | 'withdrawn'
  | 'not shown';

export type DraftValue = string | boolean | readonly string[] | null;
/** Pairs, not an object: a server may name a field `__proto__`. */
export type Draft = readonly (readonly [string, DraftValue])[];
export type Problems = readonly (readonly [string, string])[];

export interface Asker {
  readonly name: string;
  readonly kind: 'server' | 'notebook' | 'jupyter';
  readonly transport: string;
  readonly callsItself: string;
}

export interface Cause {
  readonly tool: string;
  readonly arguments: string;
  readonly certainty: 'caused' | 'during' | 'none';
  /** A call's rounds count from 1, and so do a round's questions; 0 where there are no rounds. */
  readonly round: number;
  readonly number: number;
  readonly of: number;
}

/** For whom it was asked: a kernel by its id, or an agent by its name. */
export interface Origin {
  readonly kind: 'kernel' | 'agent';
  readonly id: string;
}

export interface Option {
  readonly key: string;
  readonly label: string;
  readonly value: string;
}

interface FieldCommon {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly required: boolean;
  readonly hint: string;
  readonly placeholder: string;
  readonly sensitive: boolean;
  readonly note: string;
}

export interface TextField extends FieldCommon {
  readonly kind: 'string' | 'email' | 'uri' | 'integer' | 'number';
  readonly multiline: boolean;
}
export interface DateField extends FieldCommon {
  readonly kind: 'date' | 'date-time';
}
export interface BooleanField extends FieldCommon {
  readonly kind: 'boolean';
}
export interface ChoiceField extends FieldCommon {
  readonly kind: 'choice' | 'choices';
  readonly options: readonly Option[];
}
export type Field = TextField | DateField | BooleanField | ChoiceField;

export type Withdrawal = '' | 'asker' | 'caller' | 'call' | 'connection' | 'owner';

export interface Outcome {
  readonly action: Action;
  readonly reason: string;
  readonly channel: string;
  readonly by: string;
  readonly at: string;
  readonly trouble: string;
  /** Who took it back; empty where that is not known. */
  readonly withdrawnBy: Withdrawal;
  readonly delivery: string;
}

interface CardCommon {
  readonly id: string;
  readonly state: State;
  readonly message: string;
  readonly asker: Asker;
  readonly cause: Cause;
  readonly origin: Origin | null;
  readonly notes: readonly string[];
  readonly created: string;
  readonly secondsLeft: number | null;
  /** So long the clock stands still, for somebody types. */
  readonly secondsStill: number;
  readonly mayExtend: boolean;
  readonly outcome: Outcome | null;
}
export interface FormCard extends CardCommon {
  readonly mode: 'form';
  readonly fields: readonly Field[];
  readonly draft: Draft;
}
/** An address as the Jupyter server judged it; `ok` is no praise. */
export interface Address {
  /** In canonical form: what is shown is what is opened. */
  readonly href: string;
  readonly level: 'ok' | 'warn' | 'danger';
  readonly scheme: 'http' | 'https';
  readonly host: string;
  /** The international name that the host stands for, or nothing. */
  readonly unicodeHost: string;
  /** What somebody registered: the end of the host, or all of it. */
  readonly domain: string;
  readonly warnings: readonly string[];
}

/** What goes on behind a link that a person opened. */
export type Flow = 'opened' | 'completed' | 'finished' | 'abandoned' | 'lapsed' | 'cut' | 'ended';
export type FlowAction = 'finish' | 'cancel';

export interface UrlCard extends CardCommon {
  readonly mode: 'url';
  readonly url: Address;
  readonly flow: Flow | null;
}
export type Card = FormCard | UrlCard;

export function isOpen(card: Card): boolean {
  return card.state === 'queued' || card.state === 'pending' || card.state === 'shown';
}

/** The page was opened, and the one who asked waits for what happens there. */
export function isWaiting(card: Card): card is UrlCard {
  return card.mode === 'url' && card.state === 'accepted' && card.flow === 'opened';
}
