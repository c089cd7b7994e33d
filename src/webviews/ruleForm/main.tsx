import { type JSX, render } from 'preact';
import { useMemo } from 'preact/hooks';
import '../shared/elements.ts';
import { Button } from '../shared/controls/fields.tsx';
import { DatamodelStatus, FormMain } from '../shared/controls/formLayout.tsx';
import { Notice, FormProblemList } from '../shared/controls/notices.tsx';
import { Tabs } from '../shared/controls/tabs.tsx';
import { t } from '../shared/t.ts';
import { getMatrixColumnKey, toMatrixParty } from '../../security/matrix/ruleMatrix.ts';
import { ProblemSummary } from '../shared/controls/problemSummary.tsx';
import { CellDetails } from '../ruleMatrix/cellDetails.tsx';
import { Filters } from '../ruleMatrix/filters.tsx';
import { RuleGrid } from '../ruleMatrix/grid.tsx';
import { DocumentMatrixModel } from './documentMatrix.ts';
import { createRuleFormModel, type RuleFormModel } from './ruleFormModel.ts';
import { RuleFieldsForm } from './ruleFields.tsx';
import './main.css';

const form = createRuleFormModel();
const root = document.getElementById('root');
if (root !== null) {
  render(<RuleFormPage />, root);
}

function RuleFormPage(): JSX.Element {
  return (
    <FormMain page={form.page} title={() => (form.isRuleSet.value ? t('Rule Set') : t('Rule'))}>
      {() => (form.isRuleSet.value ? <RuleSet form={form} /> : <SingleRule form={form} />)}
    </FormMain>
  );
}

/** The datamodel that the rules name. If they name none, the user can select one, so that names can be looked up. */
function RulesDatamodel({ form }: { readonly form: RuleFormModel }): JSX.Element {
  const ruleWithDatamodel = form.rules.value.find(({ datamodel }) => datamodel !== '');
  const detail =
    ruleWithDatamodel === undefined
      ? undefined
      : ruleWithDatamodel.isLive
        ? t('live')
        : ruleWithDatamodel.server;
  const selectAction =
    ruleWithDatamodel === undefined
      ? { label: t('Select…'), run: () => form.page.askHost({ kind: 'datamodel' }) }
      : undefined;
  return (
    <DatamodelStatus
      page={form.page}
      title={ruleWithDatamodel?.datamodel ?? form.page.datamodel.value.title}
      emptyText={t('No datamodel selected')}
      detail={detail}
      selectAction={selectAction}
    />
  );
}

function SingleRule({ form }: { readonly form: RuleFormModel }): JSX.Element {
  const isRule = form.rules.value[0]?.isUnsupported === false;
  return (
    <div class="one-rule">
      <h2 class="sr-only">{t('Properties')}</h2>
      <RulesDatamodel form={form} />
      {isRule ? (
        <RuleFieldsForm form={form} ruleIndex={0} />
      ) : (
        <Notice
          severity="warning"
          text={t("This document isn't a rule. Expected: a JSON object.")}
          action={{ label: t('Open JSON'), run: () => form.page.showText() }}
        />
      )}
    </div>
  );
}

interface RuleSetProps {
  readonly form: RuleFormModel;
  readonly model: DocumentMatrixModel;
}

function RuleSet({ form }: { readonly form: RuleFormModel }): JSX.Element {
  const model = useMemo(() => new DocumentMatrixModel(form.page, form.problemsByRule), [form]);
  const problems = form.page.problems.value;
  const { rules } = form;
  return (
    <>
      <header class="set-head">
        <RulesDatamodel form={form} />
        <Button
          label={t('Add Rule…')}
          icon="add"
          isPrimary
          disabled={form.page.isLocked.value}
          onClick={() => form.page.askHost({ kind: 'newRule' })}
        />
      </header>
      <Tabs
        label={t('Parts of the rule set')}
        activeId={form.tab.value}
        tabs={[
          { id: 'rules', label: t('Rules'), badge: String(rules.value.length) },
          {
            id: 'problems',
            label: t('Problems'),
            badge: problems.length === 0 ? undefined : String(problems.length),
          },
        ]}
        onChange={(id) => {
          form.tab.value = id === 'problems' ? 'problems' : 'rules';
        }}
      >
        {form.tab.value === 'rules' ? (
          <RulesTab form={form} model={model} />
        ) : (
          <ProblemsTab form={form} model={model} />
        )}
      </Tabs>
    </>
  );
}

function RulesTab({ form, model }: RuleSetProps): JSX.Element {
  const { unplacedIndexes } = model.savedMatrix.value;
  const problems = model.activeRuleIndexes.flatMap((index) => form.problemsByRule.value.get(index) ?? []);
  return (
    <>
      {unplacedIndexes.length === 0 ? null : (
        <Notice
          severity="warning"
          text={
            unplacedIndexes.length === 1
              ? t("1 entry has no user or group, or no column, and isn't shown in the grid.")
              : t(
                  "{0} entries have no user or group, or no column, and aren't shown in the grid.",
                  unplacedIndexes.length,
                )
          }
          action={{ label: t('Open JSON'), run: () => form.page.showText([unplacedIndexes[0] ?? 0]) }}
        />
      )}
      {model.allColumns.length === 0 ? (
        <div class="empty">
          <p>{t('No rules. Everyone with access to the datamodel sees all of its data.')}</p>
        </div>
      ) : (
        <div class="set-grid">
          <Filters model={model} />
          {model.visibleMatrix.value.columns.length === 0 ? (
            <p class="empty">{t('No matching columns.')}</p>
          ) : (
            <RuleGrid model={model} />
          )}
          <CellDetails model={model} />
          <div class="cell-problems">
            <ProblemSummary problems={problems} />
          </div>
          <p class="announcement" role="status">
            {model.announcement.value}
          </p>
        </div>
      )}
    </>
  );
}

function ProblemsTab({ form, model }: RuleSetProps): JSX.Element {
  const findRule = (path: readonly (string | number)[]) => {
    const [ruleIndex] = path;
    return typeof ruleIndex === 'number' ? form.rules.value[ruleIndex] : undefined;
  };
  return (
    <FormProblemList
      problems={form.page.problems.value}
      onOpen={({ path }) => {
        const rule = findRule(path);
        const [party] = rule?.parties ?? [];
        if (rule === undefined || party === undefined) {
          form.page.showText(path);
        } else {
          model.reveal(
            toMatrixParty({ type: party.type, ...(party.id === undefined ? {} : { id: party.id }) }).key,
            getMatrixColumnKey(rule.table, rule.column),
          );
          model.shouldFocusGrid = true;
          form.tab.value = 'rules';
        }
      }}
      onShowText={({ path }) => form.page.showText(path)}
      describeLocation={({ path }) => {
        const rule = findRule(path);
        return rule === undefined ? '' : `${rule.table}.${rule.column}`;
      }}
    />
  );
}
