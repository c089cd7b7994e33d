/** The prefix of test output, which distinguishes it from everything else in the console of the extension host. */
export const hostPrefix = '[host] ';
export const summaryPrefix = 'summary ';

export interface HostSummary {
  readonly passes: number;
  readonly failures: number;
  readonly pending: number;
  /** The title of each test that failed, and the first line of its error. */
  readonly failedTests: readonly string[];
}

/**
 * Extracts the output of the tests from the console output of the extension host. It is printed suite by suite, so that
 * the output of editors that run side by side is not mixed.
 */
export class HostReport {
  readonly #print: (text: string) => void;
  #incompleteLine = '';
  #suiteLines: string[] = [];
  #summary: HostSummary | undefined;

  constructor(print: (text: string) => void) {
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
      const { passes, failures, pending, failedTests } = Object(JSON.parse(text.slice(summaryPrefix.length)));
      this.#summary = { passes, failures, pending, failedTests };
      return;
    }
    this.#suiteLines.push(text);
    if (text === '') {
      this.flush();
    }
  }

  /** Prints the remaining lines at the end of the run. */
  flush(): void {
    if (this.#suiteLines.length > 0) {
      this.#print(`${this.#suiteLines.join('\n')}\n`);
      this.#suiteLines = [];
    }
  }
}
