/** A form on a page with a peer that writes down what it is told. */

import { afterEach, beforeEach, vi } from 'vitest';

import { DraftMemory } from '../src/draft';
import { ElicitationView } from '../src/form';
import type { AnswerResult, Port, PreviewResult } from '../src/port';
import type { Action, Card, Draft, FlowAction } from '../src/wire';
import { ended, flowing } from './cards';

export interface Stage {
  readonly view: ElicitationView;
  readonly sent: { action: Action; draft: Draft; secrets?: boolean }[];
  /** Each consent to a link: whether it was confirmed a second time. */
  readonly consents: boolean[];
  readonly flows: FlowAction[];
  readonly drafts: Draft[];
  readonly counts: { shown: number; typing: number };
  button(text: string): HTMLButtonElement;
  control(label: string): HTMLInputElement;
  all<T extends HTMLElement>(selector: string): T[];
  text(): string;
}

export interface StageOptions {
  reply?: (action: Action) => AnswerResult | Promise<AnswerResult>;
  consented?: () => AnswerResult | Promise<AnswerResult>;
  flowed?: (action: FlowAction) => AnswerResult | Promise<AnswerResult>;
  trusted?: (event: Event) => boolean;
  memory?: DraftMemory;
  armed?: boolean;
  save?: () => void;
  more?: () => AnswerResult | Promise<AnswerResult>;
  previewed?: (draft: Draft) => PreviewResult | Promise<PreviewResult>;
  review?: boolean;
}

const views: ElicitationView[] = [];

/** Fake time for the tests of one file. */
export function withFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    sessionStorage.clear();
  });
  afterEach(() => {
    for (const view of views.splice(0)) view.dispose();
    vi.useRealTimers();
    document.body.replaceChildren();
  });
}

export function stage(card: Card, given: StageOptions = {}): Stage {
  const sent: { action: Action; draft: Draft; secrets?: boolean }[] = [];
  const consents: boolean[] = [];
  const flows: FlowAction[] = [];
  const drafts: Draft[] = [];
  const counts = { shown: 0, typing: 0 };
  const port: Port = {
    answer: async (action, draft, secrets) => {
      sent.push({ action, draft, ...(secrets === true ? { secrets } : {}) });
      return (given.reply ?? taken(card))(action);
    },
    consent: async confirmed => {
      consents.push(confirmed);
      return given.consented?.() ?? { kind: 'taken', card: flowing(card, 'opened') };
    },
    flow: async action => {
      flows.push(action);
      return given.flowed?.(action) ?? { kind: 'taken', card: flowing(card, action === 'finish' ? 'finished' : 'abandoned') };
    },
    ...(given.more === undefined ? {} : { more: async () => given.more?.() ?? { kind: 'failed', message: '' } }),
    typing: () => {
      counts.typing += 1;
    },
    shown: () => {
      counts.shown += 1;
    },
    draftChanged: draft => {
      drafts.push(draft);
    },
    ...(given.previewed === undefined ? {} : { preview: async draft => given.previewed?.(draft) ?? { kind: 'failed', message: '' } })
  };
  const host = {
    trusted: given.trusted ?? (() => true),
    now: () => performance.now(),
    drafts: given.memory ?? new DraftMemory(sessionStorage),
    ...(given.save === undefined ? {} : { save: given.save }),
    review: { always: given.review === true }
  };
  const view = new ElicitationView({ card, host, port });
  views.push(view);
  document.body.append(view.node);
  if (given.armed !== false) vi.advanceTimersByTime(600);
  const all = <T extends HTMLElement>(selector: string): T[] => [...view.node.querySelectorAll<T>(selector)];
  return {
    view,
    sent,
    consents,
    flows,
    drafts,
    counts,
    all,
    text: () => view.node.textContent ?? '',
    button: text => only(all<HTMLButtonElement>('button').filter(node => node.textContent === text), text),
    control: label => {
      const named = all<HTMLLabelElement>('label').filter(node => [label, `${label} required`].includes(node.textContent ?? ''));
      const control = only(named, label).control;
      if (control === null) throw new Error(`the label ${label} names nothing`);
      return control as HTMLInputElement;
    }
  };
}

function taken(card: Card): (action: Action) => AnswerResult {
  return action => ({
    kind: 'taken',
    card: ended(card, action === 'accept' ? 'accepted' : action === 'decline' ? 'declined' : 'dismissed')
  });
}

function only<T>(found: readonly T[], what: string): T {
  const [first, second] = found;
  if (first === undefined || second !== undefined) throw new Error(`${found.length} elements for ${what}`);
  return first;
}

/** As a person types: the value, then the event. */
export function type(box: HTMLInputElement | HTMLTextAreaElement, text: string): void {
  box.value = text;
  box.dispatchEvent(new Event('input', { bubbles: true }));
}

export function press(node: Element, key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  node.dispatchEvent(event);
  return event;
}

/** Lets replies and what follows from them happen. */
export async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
}

export async function draftSent(on: Stage): Promise<Draft | undefined> {
  on.button('Submit').click();
  await settle();
  return on.sent.at(-1)?.draft;
}
