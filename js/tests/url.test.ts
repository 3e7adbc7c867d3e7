import { describe, expect, test, vi } from 'vitest';

import { ended, flowing, urlCard } from './cards';
import { press, settle, stage, withFakeTime } from './stage';
import type { Stage } from './stage';

withFakeTime();

const card = urlCard();
const danger = urlCard({ level: 'danger', warnings: ['It is not encrypted.'] });

const links = (on: Stage): HTMLAnchorElement[] => on.all<HTMLAnchorElement>('a');
function link(on: Stage): HTMLAnchorElement {
  const [only, second] = links(on);
  if (only === undefined || second !== undefined) throw new Error(`${links(on).length} links`);
  return only;
}

/** A press as a browser makes it; `true` when the page opens: nobody prevented it and the address was still there. */
function opens(node: HTMLAnchorElement, kind: 'click' | 'auxclick' = 'click', more: MouseEventInit = {}): boolean {
  const event = new MouseEvent(kind, { bubbles: true, cancelable: true, detail: 1, ...more });
  node.dispatchEvent(event);
  return !event.defaultPrevented && node.hasAttribute('href');
}

function confirmBox(on: Stage): HTMLInputElement {
  return on.control('Open it all the same');
}

describe('the address', () => {
  test('stands there whole, with the registered domain in bold, outside the text of the server', () => {
    const on = stage(card);
    const [href] = on.all('.jme-href');
    expect(href?.textContent).toBe('https://login.example.org/x?y=1');
    expect(href?.querySelector('strong')?.textContent).toBe('example.org');
    expect(href?.dir).toBe('ltr');
    expect(on.all('.jme-server')[0]?.textContent).toBe('Text from server bistroPlease sign in.');
    expect(href?.closest('.jme-server')).toBeNull();
  });

  test('is never shortened, nor is a long host', () => {
    const host = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.evil.example`;
    const href = `https://${host}/${'p'.repeat(16_000)}`;
    const on = stage(urlCard({ href, host, domain: 'evil.example' }));
    expect(on.all('.jme-href')[0]?.textContent).toBe(href);
    expect(link(on).textContent).toBe('Open evil.example');
  });

  test('says what an international name reads as, and every warning', () => {
    const url = { href: 'https://xn--mnchen-3ya.de/', host: 'xn--mnchen-3ya.de', domain: 'xn--mnchen-3ya.de' };
    const on = stage(urlCard({ ...url, unicodeHost: 'münchen.de', level: 'warn', warnings: ['One.', 'Two.'] }));
    expect(on.text()).toContain('reads as münchen.de');
    expect(on.all('.jme-warnings li').map(node => node.textContent)).toEqual(['One.', 'Two.']);
  });

  test('that is hostile is literal text and no link', () => {
    const href = 'javascript:"<img src=x onerror=alert(1)>\u202e"';
    const on = stage(urlCard({ href, warnings: ['<b>x</b>'] }));
    expect(on.text()).toContain('javascript:"<img src=x onerror=alert(1)>[U+202E]"');
    expect(on.text()).toContain('<b>x</b>');
    expect(on.all('img, b, a')).toEqual([]);
  });

  test('goes to the clipboard, or is selected where there is none', async () => {
    const write = vi.fn<(text: string) => Promise<void>>().mockResolvedValue();
    vi.stubGlobal('navigator', { clipboard: { writeText: write } });
    const on = stage(card);
    on.button('Copy address').click();
    await settle();
    expect(write).toHaveBeenCalledExactlyOnceWith(card.url.href);
    expect(on.text()).toContain('Copied.');
    vi.stubGlobal('navigator', {});
    on.button('Copy address').click();
    await settle();
    vi.unstubAllGlobals();
    expect(String(document.getSelection())).toBe(card.url.href);
    expect(on.text()).toContain('Selected');
  });

  test('is asked for by nothing of ours', async () => {
    const asked = vi.fn();
    vi.stubGlobal('fetch', asked);
    const on = stage(card);
    await vi.advanceTimersByTimeAsync(60_000);
    vi.unstubAllGlobals();
    expect(asked).not.toHaveBeenCalled();
    expect(on.all('img, iframe, link, script, object, embed')).toEqual([]);
    expect(document.head.querySelector('link')).toBeNull();
  });
});

describe('the link', () => {
  test('is a real one that tells the page nothing of this one', () => {
    const node = link(stage(card));
    expect(node.getAttribute('href')).toBe(card.url.href);
    expect(node.target).toBe('_blank');
    expect(node.rel).toBe('noopener noreferrer');
    expect(node.getAttribute('referrerpolicy')).toBe('no-referrer');
    expect(node.textContent).toBe('Open example.org');
  });

  test('has no address in the first half second, and opens nothing', async () => {
    const on = stage(card, { armed: false });
    const node = link(on);
    vi.advanceTimersByTime(400);
    expect(node.hasAttribute('href')).toBe(false);
    expect(node.getAttribute('aria-disabled')).toBe('true');
    expect(opens(node)).toBe(false);
    await settle();
    expect(on.consents).toEqual([]);
    vi.advanceTimersByTime(300);
    expect(opens(node)).toBe(true);
    await settle();
    expect(on.consents).toEqual([false]);
  });

  test('that has just moved opens nothing', async () => {
    const on = stage(card);
    const node = link(on);
    node.getBoundingClientRect = () => new DOMRect(0, 80, 100, 20);
    expect(opens(node)).toBe(false);
    expect(node.hasAttribute('href')).toBe(false);
    await settle();
    expect(on.consents).toEqual([]);
  });

  test.each<['click' | 'auxclick', MouseEventInit]>([
    ['click', {}],
    ['click', { ctrlKey: true }],
    ['click', { detail: 0 }],
    ['auxclick', { button: 1 }]
  ])('pressed by %s %o opens the page and is one consent, at once', async (kind, more) => {
    const on = stage(card);
    expect(opens(link(on), kind, more)).toBe(true);
    expect(on.consents).toEqual([false]);
    await settle();
    expect(on.consents).toEqual([false]);
    expect(on.sent).toEqual([]);
  });

  test('leaves Enter to the browser, which makes a click of it, but once only for a key held down', () => {
    const on = stage(card);
    expect(press(link(on), 'Enter').defaultPrevented).toBe(false);
    expect(press(link(on), 'Enter', { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(press(link(on), 'Enter', { repeat: true }).defaultPrevented).toBe(true);
  });

  test('asked for its menu, or pressed with Alt (which saves the page), is no consent', async () => {
    const on = stage(card);
    opens(link(on), 'auxclick', { button: 2 });
    expect(opens(link(on), 'click', { altKey: true })).toBe(false);
    await settle();
    expect(on.consents).toEqual([]);
  });

  test('pressed by no hand opens nothing', async () => {
    const on = stage(card, { trusted: event => event.isTrusted });
    expect(opens(link(on))).toBe(false);
    expect(opens(link(on), 'auxclick', { button: 1 })).toBe(false);
    on.button('Decline').click();
    await settle();
    expect([on.consents, on.sent]).toEqual([[], []]);
  });

  test('pressed twice is one consent, and the second press opens nothing', async () => {
    const on = stage(card);
    const node = link(on);
    expect([opens(node), opens(node)]).toEqual([true, false]);
    await settle();
    expect(opens(link(on))).toBe(false);
    on.all('button').find(each => each.textContent === 'Decline')?.click();
    await settle();
    expect(on.consents).toEqual([false]);
    expect(on.sent).toEqual([]);
  });

  test('is missing where this browser reads the address differently, and one can still decline', async () => {
    const on = stage(urlCard({ host: 'elsewhere.example.org' }));
    expect(links(on)).toEqual([]);
    expect(on.text()).toContain('No link: This browser would open something else than what is shown.');
    expect(on.all('input')).toEqual([]);
    on.button('Decline').click();
    await settle();
    expect(on.sent).toEqual([{ action: 'decline', draft: [] }]);
    expect(on.text()).toMatch(/^bistro asked to open example\.org during book_tabledeclined\d\d:31answered here$/);
  });
});

describe('danger', () => {
  test('there is no link before the second confirmation, and none when it is taken back', () => {
    const on = stage(danger);
    expect(links(on)).toEqual([]);
    confirmBox(on).click();
    expect(link(on).textContent).toBe('Open example.org');
    confirmBox(on).click();
    expect(links(on)).toEqual([]);
    expect(confirmBox(on).closest('.jme-bar')).toBeNull();
  });

  test('the link stands for three seconds before it opens, and the consent says that it was confirmed', async () => {
    const on = stage(danger);
    vi.advanceTimersByTime(10_000);
    confirmBox(on).click();
    vi.advanceTimersByTime(2900);
    expect(opens(link(on))).toBe(false);
    vi.advanceTimersByTime(200);
    expect(opens(link(on))).toBe(true);
    await settle();
    expect(on.consents).toEqual([true]);
  });

  test('the buttons stay where they are when the link comes', () => {
    const on = stage(danger);
    const before = on.all('.jme-bar > *').slice(0, 2);
    confirmBox(on).click();
    expect(on.all('.jme-bar > *').slice(0, 2)).toEqual(before);
  });

  test('a box that no hand ticked confirms nothing', () => {
    const on = stage(danger, { trusted: event => event.isTrusted });
    confirmBox(on).click();
    expect(confirmBox(on).checked).toBe(false);
    expect(links(on)).toEqual([]);
  });
});

describe('without opening', () => {
  test.each(['Decline', 'Cancel'] as const)('%s leaves once, with no consent', async text => {
    const on = stage(card);
    on.button(text).click();
    expect(opens(link(on))).toBe(false);
    await settle();
    expect(on.sent).toEqual([{ action: text.toLowerCase(), draft: [] }]);
    expect(on.consents).toEqual([]);
  });

  test('Escape cancels, and no Enter beside the link does anything', async () => {
    const on = stage(card);
    press(on.all('.jme-href')[0] ?? document.body, 'Enter', { ctrlKey: true });
    await settle();
    expect([on.sent, on.consents]).toEqual([[], []]);
    press(on.button('Decline'), 'Escape');
    await settle();
    expect(on.sent).toEqual([{ action: 'cancel', draft: [] }]);
  });

  test('a failed decline says so and can be sent again', async () => {
    const on = stage(card, { reply: () => ({ kind: 'failed', message: 'The server is away.' }) });
    on.button('Decline').click();
    await settle();
    expect(on.text()).toContain('Not sent: The server is away. Try again.');
    on.button('Decline').click();
    await settle();
    expect(on.sent).toHaveLength(2);
  });

  test('painted is told once, and a newer card of the open question changes the time alone', () => {
    const on = stage(card);
    const node = link(on);
    on.view.update({ ...card, state: 'shown', secondsLeft: 30 });
    expect(link(on)).toBe(node);
    expect(on.text()).toContain('0:30 left');
    expect(on.counts.shown).toBe(1);
  });

  test('a question that ends elsewhere leaves its record', () => {
    const on = stage(card);
    on.view.update(ended(card, 'withdrawn'));
    expect(on.text()).toContain('bistro asked to open example.org during book_table');
    expect(on.text()).toContain('taken back');
    const second = stage(card);
    second.view.update(flowing(card, 'completed'));
    expect(second.text()).toMatch(/opened\d\d:31completedanswered in another tab$/);
  });

  test('a view that is disposed leaves no timer behind', () => {
    const on = stage(danger);
    confirmBox(on).click();
    on.view.dispose();
    expect(vi.getTimerCount()).toBe(0);
  });
});
