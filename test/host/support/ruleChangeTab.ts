import type * as vscode from 'vscode';
import { english } from '../../../src/base/localize.ts';
import type {
  ChangeResultView,
  ChangeView,
  FromRuleChange,
  ToRuleChange,
} from '../../../src/webviews/protocol/ruleChange.ts';
import { formatGrant, formatParty } from '../../../src/webviews/protocol/ruleFormat.ts';
import type { HostedPage } from './pages.ts';
import type { HostStudio } from './studio.ts';
import { waitFor } from './waiting.ts';

type Received<Type extends ToRuleChange['type']> = Extract<ToRuleChange, { type: Type }>;

export const retailSecurity = ['Sandbox', 'Datamodels', 'Retail', 'Data Security'] as const;
export const ruleTableHeading = 'table,column,datatype,access,value,party type,party';

/** The page of a change of rules, with messages of its protocol. */
export class RuleChangeTab {
  readonly page: HostedPage;

  private constructor(page: HostedPage) {
    this.page = page;
  }

  static async find(studio: HostStudio, title: string): Promise<RuleChangeTab> {
    return new RuleChangeTab(await studio.findPage('datamodelStudio.ruleChange', title));
  }

  /** Imports a file from the menu of the rules of Retail. */
  static async importFile(studio: HostStudio, file: vscode.Uri): Promise<RuleChangeTab> {
    studio.answerOpenDialog([file]);
    await studio.chooseFromContextMenu(retailSecurity, 'Import Rules…');
    await studio.selectQuickPick('Import from File…');
    return RuleChangeTab.find(studio, `${file.path.split('/').at(-1)} into Retail`);
  }

  post(message: FromRuleChange): void {
    this.page.post(message);
  }

  waitForMessage<Type extends ToRuleChange['type']>(
    type: Type,
    check: (message: Received<Type>) => boolean = () => true,
  ): Promise<Received<Type>> {
    return this.page.waitForMessage<Received<Type>>(type, check);
  }

  /** The number of messages of a type so far. */
  countMessages(type: ToRuleChange['type']): number {
    return this.page.messages.filter((message) => message.type === type).length;
  }

  /** The newest comparison with the server's rules. */
  async getView(): Promise<ChangeView> {
    return (await this.waitForMessage('view')).view;
  }

  /** Posts a message that makes the host compare again; returns the new comparison. */
  async compare(message: FromRuleChange): Promise<ChangeView> {
    const previousCount = this.countMessages('view');
    this.post(message);
    return this.waitForNextView(previousCount);
  }

  /** Waits for a comparison after those that were counted. */
  async waitForNextView(previousCount: number): Promise<ChangeView> {
    await waitFor(
      () => this.countMessages('view') > previousCount,
      () => `No further comparison; the last message is ${JSON.stringify(this.page.messages.at(-1))}`,
    );
    return this.getView();
  }

  /** Posts a message that starts a run; returns the outcome of that run. */
  async run(message: FromRuleChange): Promise<ChangeResultView> {
    const previousCount = this.countMessages('ended');
    this.post(message);
    return (await this.waitForMessage('ended', () => this.countMessages('ended') > previousCount)).result;
  }
}

/** The changes of a comparison, one line each, sorted: `change Regions.Region group Finance: no values → only Alps`. */
export const formatChanges = ({ changes }: ChangeView): readonly string[] =>
  changes
    .map(({ kind, column, party, before, after }) => {
      const [from, to] = [before, after].map((grants) =>
        grants.map((grant) => formatGrant(grant, english)).join(' + '),
      );
      return `${kind} ${column} ${formatParty(party, english)}: ${from} → ${to}`;
    })
    .toSorted();
