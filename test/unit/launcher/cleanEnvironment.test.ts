import { expect, it } from 'vitest';
import { createCleanEnvironment } from '../../../src/launcher/cleanEnvironment.ts';

it('the environment has no variables of an editor, npm or a test runner, and keeps all others', () => {
  const source = {
    PATH: '/bin',
    HOME: '/home/me',
    HTTPS_PROXY: 'http://proxy',
    npm_config_cache: '/cache',
    npm_config_local_prefix: '/clone',
    npm_lifecycle_event: 'start',
    NODE_TEST_CONTEXT: 'child',
    VSCODE_IPC_HOOK_CLI: '/sock',
    ELECTRON_RUN_AS_NODE: '1',
  };
  expect(createCleanEnvironment({ EXTRA: '1', HOME: '/elsewhere' }, source)).toEqual({
    PATH: '/bin',
    HOME: '/elsewhere',
    HTTPS_PROXY: 'http://proxy',
    npm_config_cache: '/cache',
    EXTRA: '1',
  });
});
