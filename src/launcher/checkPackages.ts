import { hasDisplay } from './desktop.ts';
import { ensureSystemPackages } from './systemPackages.ts';

// This script is the first step of `npm start`. It offers to install missing Debian packages that the editor in the
// browser needs.
const isReady =
  hasDisplay() ||
  (await ensureSystemPackages({ purpose: 'editor', installsWithoutAsking: false, mayAsk: true }));
process.exitCode = isReady ? 0 : 1;
