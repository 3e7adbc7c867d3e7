/** Foreign JSON becomes a card, or an error that names the place. */

import { bag, isRecord, list, oneOf, optionalList, optionalNumber, optionalText, text, WireError } from './json';
import type {
  Action,
  Address,
  Asker,
  Card,
  Cause,
  Draft,
  DraftValue,
  Field,
  Flow,
  Option,
  Origin,
  Outcome,
  Problems,
  State,
  Withdrawal
} from './wire';

const STATES: readonly State[] = [
  'queued',
  'pending',
  'shown',
  'accepted',
  'declined',
  'dismissed',
  'expired',
  'withdrawn',
  'not shown'
];
const ACTIONS: readonly Action[] = ['accept', 'decline', 'cancel'];
const WITHDRAWALS: readonly Withdrawal[] = ['', 'asker', 'caller', 'call', 'connection', 'owner'];
const FLOWS: readonly Flow[] = ['opened', 'completed', 'finished', 'abandoned', 'lapsed', 'cut', 'ended'];

/** Raises WireError when the value is no card. */
export function parseCard(value: unknown): Card {
  const card = bag(value, 'card');
  const common = {
    id: text(card, 'id'),
    state: oneOf(card, 'state', STATES),
    message: text(card, 'message'),
    asker: parseAsker(card.get('asker')),
    cause: parseCause(card.get('cause')),
    origin: parseOrigin(card.get('origin')),
    notes: optionalList(card, 'notes').map(note => String(note)),
    created: optionalText(card, 'created'),
    secondsLeft: optionalNumber(card, 'secondsLeft'),
    secondsStill: optionalNumber(card, 'secondsStill') ?? 0,
    mayExtend: card.get('mayExtend') === true,
    outcome: parseOutcome(card.get('outcome'))
  };
  if (common.id === '') throw new WireError('card.id is empty');
  if (oneOf(card, 'mode', ['form', 'url'] as const) === 'url') {
    const flow = card.get('flow') === null ? null : oneOf(card, 'flow', FLOWS);
    return { ...common, mode: 'url', url: parseAddress(card.get('url')), flow };
  }
  return {
    ...common,
    mode: 'form',
    fields: list(card.get('fields'), 'fields').map(parseField),
    draft: parseDraft(card.get('draft'))
  };
}

export function parseDraft(value: unknown): Draft {
  return list(value, 'draft').map(pair => {
    const [name, held] = list(pair, 'draft pair');
    if (typeof name !== 'string') throw new WireError('a draft pair has no name');
    return [name, draftValue(held)] as const;
  });
}

export function parseProblems(value: unknown): Problems {
  return list(value ?? [], 'problems').map(pair => {
    const [name, sentence] = list(pair, 'problem');
    return [String(name), String(sentence)] as const;
  });
}

function draftValue(value: unknown): DraftValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return list(value, 'draft value').map(key => String(key));
}

function parseField(value: unknown): Field {
  const field = bag(value, 'field');
  const common = {
    name: text(field, 'name'),
    label: optionalText(field, 'label'),
    help: optionalText(field, 'help'),
    required: field.get('required') === true,
    hint: optionalText(field, 'hint'),
    placeholder: optionalText(field, 'placeholder'),
    sensitive: field.get('sensitive') === true,
    note: optionalText(field, 'note')
  };
  const kind = text(field, 'kind');
  switch (kind) {
    case 'string':
    case 'email':
    case 'uri':
    case 'integer':
    case 'number':
      return { ...common, kind, multiline: field.get('multiline') === true };
    case 'date':
    case 'date-time':
    case 'boolean':
      return { ...common, kind };
    case 'choice':
    case 'choices':
      return { ...common, kind, options: list(field.get('options'), 'options').map(parseOption) };
    default:
      throw new WireError(`a field of an unknown kind: ${kind}`);
  }
}

/** Straight from the object: there may be ten thousand of them. */
function parseOption(value: unknown): Option {
  const { key, label, value: beside } = isRecord(value) ? (value as Partial<Record<keyof Option, unknown>>) : {};
  if (typeof key !== 'string' || typeof label !== 'string') throw new WireError('an option has no key or no label');
  return { key, label, value: typeof beside === 'string' ? beside : '' };
}

/** Strictly: what a person is asked to open must not be guessed from parts. */
function parseAddress(value: unknown): Address {
  const url = bag(value, 'url');
  const named = (name: string): string => {
    const found = text(url, name);
    if (found === '') throw new WireError(`url.${name} is empty`);
    return found;
  };
  return {
    href: named('href'),
    level: oneOf(url, 'level', ['ok', 'warn', 'danger'] as const),
    scheme: oneOf(url, 'scheme', ['http', 'https'] as const),
    host: named('host'),
    unicodeHost: text(url, 'unicodeHost'),
    domain: named('domain'),
    warnings: list(url.get('warnings'), 'warnings').map(warning => {
      if (typeof warning !== 'string') throw new WireError('a warning is no text');
      return warning;
    })
  };
}

function parseAsker(value: unknown): Asker {
  const asker = bag(value, 'asker');
  return {
    name: text(asker, 'name'),
    kind: oneOf(asker, 'kind', ['server', 'notebook', 'jupyter'] as const),
    transport: optionalText(asker, 'transport'),
    callsItself: optionalText(asker, 'callsItself')
  };
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function parseCause(value: unknown): Cause {
  const cause = bag(value, 'cause');
  return {
    tool: optionalText(cause, 'tool'),
    arguments: optionalText(cause, 'arguments'),
    certainty: oneOf(cause, 'certainty', ['caused', 'during', 'none'] as const),
    round: count(cause.get('round')),
    number: count(cause.get('number')),
    of: count(cause.get('of'))
  };
}

function parseOrigin(value: unknown): Origin | null {
  if (value === null || value === undefined) return null;
  const origin = bag(value, 'origin');
  return { kind: oneOf(origin, 'kind', ['kernel', 'agent'] as const), id: text(origin, 'id') };
}

function parseOutcome(value: unknown): Outcome | null {
  if (value === null || value === undefined) return null;
  const outcome = bag(value, 'outcome');
  return {
    action: oneOf(outcome, 'action', ACTIONS),
    reason: optionalText(outcome, 'reason'),
    channel: optionalText(outcome, 'channel'),
    by: optionalText(outcome, 'by'),
    at: optionalText(outcome, 'at'),
    trouble: optionalText(outcome, 'trouble'),
    // A newer server may know more of them.
    withdrawnBy: WITHDRAWALS.find(each => each === optionalText(outcome, 'withdrawnBy')) ?? '',
    delivery: optionalText(outcome, 'delivery')
  };
}
