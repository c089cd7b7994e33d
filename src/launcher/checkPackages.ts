import { hasDisplay } from './desktop.ts';
import { ensureSystemPackages } from './systemPackages.ts';

/** The first step of `npm start`: offers to install missing Debian packages that the editor in the browser needs. */
const isReady =
  hasDisplay() ||
  (await ensureSystemPackages({ purpose: 'editor', installsWithoutAsking: false, mayAsk: true }));
process.exitCode = isReady ? 0 : 1;
