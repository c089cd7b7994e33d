/**
 * For lists that a form opens: when one list follows another, the page gets the focus back in between, sometimes after
 * the second has opened, and a list that loses the focus would close unseen.
 */
export const keepOpenOnFocusLoss = { ignoreFocusOut: true } as const;
