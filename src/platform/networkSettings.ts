import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ProxySettings } from '../client/network.ts';
import type { TransportOptions } from '../client/undiciTransport.ts';
import type { RequestLimits } from '../connections/connector.ts';
import { getSetting } from './settings.ts';

/**
 * The network settings of the editor and of the extension, which apply to every request (decisions.md, "REST client"
 * and "Connections").
 */
export async function getTransportOptions(): Promise<TransportOptions> {
  return { ...getProxySettings(), caCertificates: await readExtraCertificates() };
}

/** The proxy for requests, and whether certificates are checked. */
export function getProxySettings(): ProxySettings & { readonly strictSSL: boolean } {
  const http = vscode.workspace.getConfiguration('http');
  return {
    proxy: http.get<string>('proxy') || undefined,
    noProxy: http.get<readonly string[]>('noProxy') ?? [],
    strictSSL: http.get<boolean>('proxyStrictSSL') ?? true,
    environment: process.env,
  };
}

/**
 * The user's certificates, trusted in addition to the default ones, as PEM texts.
 * @throws Error that names the setting when its file cannot be read
 */
export async function readExtraCertificates(): Promise<readonly string[]> {
  const certificateFile = getSetting('network.certificateFile');
  return certificateFile === '' ? [] : [await readCertificates(certificateFile)];
}

export function getRequestLimits(): RequestLimits {
  return {
    timeoutMs: getSetting('network.requestTimeout') * 1000,
    concurrency: getSetting('network.concurrency'),
  };
}

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    // Loaded only if it's needed, to keep the activation small.
    const { createCertificateFileError } = await import('./certificateFileError.ts');
    throw createCertificateFileError(path, error);
  }
}
