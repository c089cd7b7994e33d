import { findExecutable, isExecutable } from './executables.ts';

/** The Debian package of headless Chromium, and its program. It needs less than half the time of a full Chromium. */
export const headlessChromiumPackage = 'chromium-headless-shell';

const programs = [headlessChromiumPackage, 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Finds this machine's Chromium: at the path in CHROMIUM, else on the PATH, where the headless shell is preferred.
 * Returns `undefined` if there is none.
 * @throws Error when CHROMIUM names something that can't be run
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const configured = env['CHROMIUM'];
  if (configured) {
    if (!isExecutable(configured)) {
      throw new Error(`CHROMIUM is set to ${configured}, which can't be run`);
    }
    return configured;
  }
  return programs.map((name) => findExecutable(name, env['PATH'])).find((file) => file !== undefined);
}
