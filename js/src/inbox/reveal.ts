/** The cell that shows a question, in whichever notebook of the page. */

import type { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';

import { entries } from '../json';
import type { Sights } from './sights';

export interface Shell {
  activateById(id: string): void;
}

/** Brings the question's cell before the person; `false` when no open notebook has one. At their click only. */
export async function revealCell(
  id: string,
  mimeType: string,
  shell: Shell,
  tracker: INotebookTracker,
  sights: Sights
): Promise<boolean> {
  const found = find(id, mimeType, tracker);
  if (found === null) return false;
  const { panel, at } = found;
  shell.activateById(panel.id);
  await panel.revealed;
  panel.content.activeCellIndex = at;
  await panel.content.scrollToItem(at, 'smart').catch(() => undefined);
  await new Promise(resolve => requestAnimationFrame(resolve));
  const node = sights.node(id);
  node?.scrollIntoView({ block: 'nearest' });
  node?.focus({ preventScroll: true });
  return true;
}

function find(id: string, mimeType: string, tracker: INotebookTracker): { panel: NotebookPanel; at: number } | null {
  let found: { panel: NotebookPanel; at: number } | null = null;
  tracker.forEach(panel => {
    const cells = panel.content.model?.cells;
    // The model knows cells that are too far away to be drawn.
    for (let at = 0; found === null && cells !== undefined && at < cells.length; at += 1) {
      const outputs = cells.get(at).outputs;
      for (let one = 0; outputs !== undefined && one < outputs.length; one += 1) {
        if (entries(outputs.get(one).data[mimeType]).get('id') === id) found = { panel, at };
      }
    }
  });
  return found;
}
