import { useLayoutEffect } from 'preact/hooks';

/** Calls the main action of the page on Ctrl+Enter, or Command+Enter, wherever the focus is. */
export function useApplyKey(apply: () => void): void {
  // Not `useEffect`, which runs after painting: until then, a key would still call the previous `apply`.
  useLayoutEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        // A focused button must not be pressed as well.
        event.preventDefault();
        event.stopPropagation();
        apply();
      }
    };
    document.addEventListener('keydown', handleKey, { capture: true });
    return () => document.removeEventListener('keydown', handleKey, { capture: true });
  });
}
