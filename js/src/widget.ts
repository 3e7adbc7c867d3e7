/** The anywidget module: the same form in every other front end, and for code that holds a form. */

import { CommPort } from './comm';
import type { Model } from './comm';
import { make } from './dom';
import { ElicitationView } from './form';
import { pageHost } from './host';
import { entries } from './json';
import { parseCard, parseDraft } from './parse';
import { getCard, pageAsk, ServerPort } from './server';
import type { Port } from './port';
import { styleElement } from './style';
import type { Card } from './wire';

interface RenderContext {
  readonly model: Model;
  readonly el: HTMLElement;
}

/** Runs for every model, shown or not: from then on the kernel knows that this page has the script. */
function initialize({ model }: { readonly model: Model }): void {
  new CommPort(model).tell({ type: 'here' });
}

async function render({ model, el }: RenderContext): Promise<() => void> {
  const place = make('div', { class: 'jme-output' });
  el.append(styleElement(), place);
  const comm = new CommPort(model);
  let view: ElicitationView | null = null;
  let gone = false;

  const draw = (): void => {
    const card = readCard(model.get('card'));
    if (card === null) return;
    if (view !== null) view.update(card);
  };
  const hear = (message: unknown): void => {
    const said = entries(message);
    if (said.get('type') === 'result') comm.receive(message);
    if (said.get('type') === 'fill') view?.fill(readDraft(said.get('draft')));
    if (said.get('type') === 'welcome') view?.welcome(readDraft(said.get('draft')));
  };
  model.on('change:card', draw);
  model.on('msg:custom', hear);

  const card = readCard(model.get('card'));
  if (card === null) {
    place.append(make('div', { class: 'jme jme-record' }, 'This form holds no question.'));
  } else {
    const port = await choosePort(comm, card, newer => view?.update(newer));
    if (!gone) {
      view = new ElicitationView({ card: readCard(model.get('card')) ?? card, host: pageHost(), port });
      place.append(view.node);
      comm.tell({ type: 'hello' });
    }
  }
  return () => {
    gone = true;
    model.off('change:card', draw);
    model.off('msg:custom', hear);
    view?.dispose();
  };
}

/** The Jupyter server when it knows this question; it hears a click even while the kernel is busy. */
async function choosePort(comm: CommPort, card: Card, told: (card: Card) => void): Promise<Port> {
  const ask = pageAsk();
  if (ask === null) return comm;
  try {
    if ((await getCard(ask, card.id)) === null) return comm;
  } catch {
    return comm;
  }
  const server = new ServerPort(ask, card.id, told);
  return {
    answer: (action, draft, secrets) => server.answer(action, draft, secrets),
    more: () => server.more(),
    typing: () => {
      server.typing();
    },
    consent: confirmed => server.consent(confirmed),
    flow: action => server.flow(action),
    preview: draft => server.preview(draft),
    shown: () => {
      server.shown();
    },
    draftChanged: draft => {
      comm.draftChanged(draft);
    }
  };
}

function readCard(value: unknown): Card | null {
  try {
    return parseCard(value);
  } catch {
    return null;
  }
}

function readDraft(value: unknown): ReturnType<typeof parseDraft> {
  try {
    return parseDraft(value);
  } catch {
    return [];
  }
}

export default { initialize, render };
