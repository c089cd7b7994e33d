/** The prefix of test output, which distinguishes it from everything else in the console of the extension host. */
export const hostPrefix = '[host] ';
export const summaryPrefix = 'summary ';

export interface HostSummary {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
}

/** Extracts the output of the tests from the console output of the extension host, and prints it. */
export class HostReport {
  readonly #print: (line: string) => void;
  #incompleteLine = '';
  #summary: HostSummary | undefined;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  /** The totals of the run; `undefined` if it did not finish. */
  get summary(): HostSummary | undefined {
    return this.#summary;
  }

  write(chunk: string): void {
    const lines = (this.#incompleteLine + chunk).split('\n');
    this.#incompleteLine = lines.pop() ?? '';
    for (const line of lines) {
      this.#readLine(line);
    }
  }

  #readLine(line: string): void {
    const prefixIndex = line.indexOf(hostPrefix);
    if (prefixIndex < 0) {
      return;
    }
    const text = line.slice(prefixIndex + hostPrefix.length).replace(/\r$/, '');
    if (text.startsWith(summaryPrefix)) {
      const { passes, failures, pending } = Object(JSON.parse(text.slice(summaryPrefix.length)));
      this.#summary = { passes, failures, pending };
      return;
    }
    this.#print(text);
  }
}
