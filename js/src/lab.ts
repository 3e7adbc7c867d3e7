/** The Jupyter server, through JupyterLab's own connection (base URL, token, XSRF header). */

import { ServerConnection } from '@jupyterlab/services';

import type { Ask } from './server';

export const labAsk: Ask = (path, init) => {
  const settings = ServerConnection.makeSettings();
  return ServerConnection.makeRequest(`${slashed(settings.baseUrl)}mcp-elicit/${path}`, init, settings);
};

export function labEvents(): WebSocket {
  const settings = ServerConnection.makeSettings();
  const url = new URL(`${slashed(settings.wsUrl)}mcp-elicit/events`);
  if (settings.appendToken && settings.token !== '') url.searchParams.set('token', settings.token);
  return new settings.WebSocket(url.toString());
}

function slashed(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
