import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findExecutable, isExecutable } from './executables.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The Chromium of this machine: the one in CHROMIUM, or else the usual places. */
function findChromium(env: NodeJS.ProcessEnv = process.env): string {
  const chosen = env['CHROMIUM'];
  if (chosen) {
    if (!isExecutable(chosen)) {
      throw new Error(`CHROMIUM names ${chosen}, which cannot be run`);
    }
    return chosen;
  }
  const usual = '/usr/bin/chromium';
  const found = isExecutable(usual)
    ? usual
    : (findExecutable('chromium') ?? findExecutable('chromium-browser') ?? findExecutable('google-chrome'));
  if (found === undefined) {
    throw new Error('Chromium is missing. Run:\n  apt-get install -y chromium\nor name one in CHROMIUM');
  }
  return found;
}

/** Starts a headless Chromium of this machine; it ends with this process. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: flags });
}
