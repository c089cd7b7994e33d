import type { Writable } from 'node:stream';

/**
 * Watches the output streams for errors. A reader that stops reading (`| head`) doesn't count as one: the work in
 * progress continues and is recorded. Other errors, such as a full disk, are reported on standard error.
 * @param onLost called if standard output could not be written
 */
export function watchOutput(
  { stdout, stderr }: { readonly stdout: Writable; readonly stderr: Writable },
  onLost: () => void,
): void {
  let isReported = false;
  stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    // Windows reports a closed pipe as the end of the file.
    if (code === 'EPIPE' || code === 'EOF' || isReported) {
      return;
    }
    isReported = true;
    onLost();
    stderr.write(
      code === 'ENOSPC'
        ? "The disk is full, so the output can't be written.\n"
        : `Can't write the output (${code ?? 'unknown error'}).\n`,
    );
  });
  // There is nowhere else to report it.
  stderr.on('error', () => undefined);
}
