import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findChromium, headlessChromiumPackage } from './chromium.ts';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts this machine's Chromium without a window. It ends with this process. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error(
      `Chromium is missing. Run:\n  apt-get install -y ${headlessChromiumPackage}\nor set CHROMIUM to its path`,
    );
  }
  return chromium.launch({ executablePath, args: flags });
}
