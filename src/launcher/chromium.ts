import { findExecutable, isExecutable } from './executables.ts';

/**
 * Finds this machine's Chromium: at the path in CHROMIUM, else in `/usr/bin` or on the PATH. Returns `undefined` if
 * there is none.
 * @throws Error when CHROMIUM names something that can't be run
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const configured = env['CHROMIUM'];
  if (configured) {
    if (!isExecutable(configured)) {
      throw new Error(`CHROMIUM names ${configured}, which cannot be run`);
    }
    return configured;
  }
  const defaultPath = '/usr/bin/chromium';
  return isExecutable(defaultPath)
    ? defaultPath
    : (findExecutable('chromium') ?? findExecutable('chromium-browser') ?? findExecutable('google-chrome'));
}
