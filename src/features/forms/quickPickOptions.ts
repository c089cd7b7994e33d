/**
 * Options for quick picks that a form opens. Between two quick picks the webview regains the focus, sometimes after the
 * second one has opened, which would close it immediately.
 */
export const keepOpenOnFocusLoss = { ignoreFocusOut: true } as const;
