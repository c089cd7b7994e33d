import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ProxySettings } from '../client/network.ts';
import type { TransportOptions } from '../client/undiciTransport.ts';
import type { RequestLimits } from '../connections/connector.ts';
import { setting } from './settings.ts';

/** The editor's own network settings and ours, which every request follows (design.md, sections 4 and 6). */
export async function transportOptions(): Promise<TransportOptions> {
  return { ...networkRules(), caFiles: await furtherCertificates() };
}

/** Which way requests go, and whether certificates are checked. */
export function networkRules(): ProxySettings & { readonly strictSSL: boolean } {
  const http = vscode.workspace.getConfiguration('http');
  return {
    proxy: http.get<string>('proxy') || undefined,
    noProxy: http.get<readonly string[]>('noProxy') ?? [],
    strictSSL: http.get<boolean>('proxyStrictSSL') ?? true,
    environment: process.env,
  };
}

/**
 * The certificates that a person adds to those that are trusted anyway, as PEM texts.
 * @throws Error that names the setting when its file cannot be read
 */
export async function furtherCertificates(): Promise<readonly string[]> {
  const certificateFile = setting('network.certificateFile');
  return certificateFile === '' ? [] : [await readCertificates(certificateFile)];
}

export function requestLimits(): RequestLimits {
  return {
    timeoutMs: setting('network.requestTimeout') * 1000,
    concurrency: setting('network.concurrency'),
  };
}

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(
      vscode.l10n.t('The file of the setting network.certificateFile cannot be read: {0}', path),
      { cause: error },
    );
  }
}
