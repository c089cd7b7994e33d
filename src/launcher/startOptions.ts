import { parseArgs } from 'node:util';
import type { AllowedHost } from './allowedAddresses.ts';
import { parseAllowedHost } from './allowedAddresses.ts';
import type { SandboxProcessAccess } from '../sandbox/host/sandboxProcess.ts';

/** The options of `npm start -- …`. */
export interface StartOptions {
  /** Port of the editor in the browser; 0 picks a free one. */
  readonly port: number;
  /** Opens the user's browser when the editor is ready. */
  readonly opensBrowser: boolean;
  /** Uses the editor in the browser even if desktop VS Code is available. */
  readonly usesBrowserEditor: boolean;
  /** Additional addresses of the editor in the browser besides those of this machine. */
  readonly allowedHosts: readonly AllowedHost[];
  /** The interpretation of the platform that the sandbox follows (decisions.md, "Two kinds of server"). */
  readonly profile: 'guide' | 'contract';
}

export const startUsage =
  'Usage: npm start -- [--port N] [--no-open] [--web] [--allow-host NAME]… [--profile guide|contract]';

/**
 * Parses the command line.
 * @throws Error with a message for the user
 */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '0' },
      open: { type: 'boolean', default: true },
      web: { type: 'boolean', default: false },
      'allow-host': { type: 'string', multiple: true, default: [] },
      profile: { type: 'string', default: 'guide' },
    },
    allowNegative: true,
    strict: true,
  });
  const port = Number(values.port);
  if (values.port.trim() === '' || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`Invalid --port "${values.port}". Expected: a number from 0 to 65535.`);
  }
  const { profile } = values;
  if (profile !== 'guide' && profile !== 'contract') {
    throw new Error(`Invalid --profile "${profile}". Expected: guide or contract.`);
  }
  const allowedHosts = values['allow-host'].map(parseAllowedHost);
  return { port, opensBrowser: values.open, usesBrowserEditor: values.web, allowedHosts, profile };
}

/** Formats the only line that `npm start` prints on stdout, without the line break. */
export function formatReadyLine(editorUrl: string | undefined, sandbox: SandboxProcessAccess): string {
  const { url, adminToken, userToken } = sandbox;
  return JSON.stringify({ vscode: editorUrl ?? null, sandbox: { url, adminToken, userToken } });
}
