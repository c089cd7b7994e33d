/** Variables of a surrounding editor, npm or test runner that the started editor must not inherit. */
const foreignVariablePattern =
  /^(VSCODE_|ELECTRON_|NODE_TEST_CONTEXT$|NODE_OPTIONS$|NODE_CHANNEL_|npm_(package|lifecycle|command|execpath|node_execpath|config_(local_prefix|prefix|global_prefix|global|omit|include|ignore_scripts|user_agent|noproxy|npm_version|node_gyp)))/i;

/** Creates the environment for a process that must start as if from a new shell; `extra` takes precedence. */
export function createCleanEnvironment(
  extra: NodeJS.ProcessEnv = {},
  source: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(source).filter(([name]) => !foreignVariablePattern.test(name));
  return { ...Object.fromEntries(inherited), ...extra };
}
