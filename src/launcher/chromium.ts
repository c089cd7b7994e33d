import { findExecutable, isExecutable } from './executables.ts';

/**
 * Finds this machine's Chromium: at the path in CHROMIUM, else at the usual places. Returns `undefined` if there is
 * none.
 * @throws Error when CHROMIUM names something that can't be run
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const chosen = env['CHROMIUM'];
  if (chosen) {
    if (!isExecutable(chosen)) {
      throw new Error(`CHROMIUM names ${chosen}, which cannot be run`);
    }
    return chosen;
  }
  const usual = '/usr/bin/chromium';
  return isExecutable(usual)
    ? usual
    : (findExecutable('chromium') ?? findExecutable('chromium-browser') ?? findExecutable('google-chrome'));
}
