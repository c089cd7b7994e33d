import { computed, effect, type ReadonlySignal, signal, untracked } from '@preact/signals';
import type { JsonValue } from '../../base/json.ts';
import { getDocumentRules, readRuleFields } from '../../security/form/readRuleFields.ts';
import type { FormCellEdit, FormParty } from '../../security/form/ruleEdit.ts';
import { createMatrixHistory, emptyDraft, type MatrixDraft } from '../../security/matrix/matrixDraft.ts';
import { getCellKey, type RuleMatrix } from '../../security/matrix/ruleMatrix.ts';
import { serializeCell } from '../../security/matrix/serializedDraft.ts';
import { ValueIndex } from '../../security/values/valueIndex.ts';
import type { FormProblem } from '../protocol/documentForm.ts';
import type { PageParty } from '../protocol/access.ts';
import { MatrixModel } from '../ruleMatrix/matrixModel.ts';
import { PartyDirectory } from '../ruleMatrix/partyDirectory.ts';
import { findPartyName } from './partyName.ts';
import type { FormPage } from '../shared/formPage.ts';

type CellEditPage = Pick<
  FormPage<{ readonly kind: 'cells'; readonly cells: readonly FormCellEdit[] }, never>,
  'document' | 'names' | 'values' | 'isLocked' | 'edit' | 'showText'
>;

/**
 * The grid of the rules in a document. A change of a cell becomes an edit of the document, which can be undone in the
 * editor of the document.
 */
export class DocumentMatrixModel extends MatrixModel {
  override readonly keepsDraft = false;
  override readonly cellProblems: ReadonlySignal<ReadonlyMap<string, 'error' | 'warning'>>;
  readonly #page: CellEditPage;

  constructor(
    page: CellEditPage,
    problemsByRule: ReadonlySignal<ReadonlyMap<number, readonly FormProblem[]>>,
  ) {
    const partyDirectory = signal(new PartyDirectory());
    super(
      {
        post: (message) => {
          if (message.type === 'openRules') {
            page.showText(this.#getActiveRulePath());
          }
        },
      },
      createMatrixData(page.document.value ?? []),
      {
        partyDirectory,
        otherValues: computed(() => [
          ValueIndex.fromNamedValues(
            [...page.values.value].map(([key, values]) => {
              const [table, column] = JSON.parse(key) as [string, string];
              return { table, column, values: new Set(values) };
            }),
          ),
        ]),
        draft: emptyDraft,
        needsIds: false,
      },
    );
    this.#page = page;
    this.cellProblems = computed(() => getCellProblems(this.savedMatrix.value, problemsByRule.value));
    effect(() => {
      const document = page.document.value ?? [];
      partyDirectory.value = new PartyDirectory().withParties(readParties(document, page.names.value));
      // Untracked, so that only changes of the document cause an update, which also reads the selection and the filter.
      untracked(() => this.update(createMatrixData(document)));
    });
    effect(() => {
      this.isBusy.value = page.isLocked.value;
    });
  }

  /** Edits the document; only added rows and columns without a rule are kept here. */
  override replaceDraft(draft: MatrixDraft): void {
    if (this.isBusy.value) {
      return;
    }
    this.history.value = createMatrixHistory({ ...draft, edits: new Map() });
    const cells = [...draft.edits.values()].map((edit): FormCellEdit => {
      const { party, column, value } = serializeCell(edit);
      return { party, column, value };
    });
    if (cells.length > 0) {
      this.#page.edit({ kind: 'cells', cells });
    }
  }

  /** The indexes of the rules of the active cell. */
  get activeRuleIndexes(): readonly number[] {
    const { parties, columns, savedMatrix } = this.visibleMatrix.value;
    const { row, column } = this.selection.value.active;
    const [party, matrixColumn] = [parties[row], columns[column]];
    return party === undefined || matrixColumn === undefined
      ? []
      : (savedMatrix.cells.get(getCellKey(party.key, matrixColumn.key))?.ruleIndexes ?? []);
  }

  #getActiveRulePath(): readonly number[] {
    return this.activeRuleIndexes.slice(0, 1);
  }
}

function createMatrixData(document: JsonValue): MatrixModel['data']['value'] {
  const rules = getDocumentRules(document);
  const fields = rules.map(readRuleFields);
  return {
    type: 'data',
    title: fields.find(({ datamodel }) => datamodel !== '')?.datamodel ?? '',
    kind: fields.some(({ isLive }) => isLive) ? 'live' : 'extract',
    rules,
  };
}

/** Returns the users and groups of the rules, with their names if the document or the instance has them. */
const readParties = (document: JsonValue, names: Readonly<Record<string, string>>): readonly PageParty[] =>
  getDocumentRules(document).flatMap((rule) =>
    readRuleFields(rule).parties.flatMap((party) => toPageParty(party, names)),
  );

function toPageParty(party: FormParty, names: Readonly<Record<string, string>>): readonly PageParty[] {
  if (party.type === 'default' || party.id === undefined) {
    return [];
  }
  const { type, id } = party;
  return [{ type, id, name: party.name ?? findPartyName(id, names) ?? id }];
}

function getCellProblems(
  { cells }: RuleMatrix,
  problemsByRule: ReadonlyMap<number, readonly FormProblem[]>,
): ReadonlyMap<string, 'error' | 'warning'> {
  const worstSeverities = new Map<string, 'error' | 'warning'>();
  for (const [key, { ruleIndexes }] of cells) {
    const severities = ruleIndexes.flatMap((index) =>
      (problemsByRule.get(index) ?? []).map(({ severity }) => severity),
    );
    if (severities.includes('error')) {
      worstSeverities.set(key, 'error');
    } else if (severities.includes('warning')) {
      worstSeverities.set(key, 'warning');
    }
  }
  return worstSeverities;
}
