import { exitCodes } from './exitCodes.ts';

/** The minimum version of Node.js for the bundled packages; older releases fail at run time. */
const minNodeVersion = [22, 19] as const;

// Checked on import: the modules that are imported afterward may need this version of Node.js.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < minNodeVersion[0] || (major === minNodeVersion[0] && minor < minNodeVersion[1])) {
  process.stderr.write(`datamodel-studio needs Node.js ${minNodeVersion.join('.')} or later.\n`);
  process.exit(exitCodes.failed);
}
