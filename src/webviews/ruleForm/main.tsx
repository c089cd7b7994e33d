import { type JSX, render } from 'preact';
import '../shared/elements.ts';
import { Button } from '../shared/controls/fields.tsx';
import { DatamodelLine, FormMain } from '../shared/controls/formParts.tsx';
import { Notice, ProblemList } from '../shared/controls/notices.tsx';
import { Tabs } from '../shared/controls/tabs.tsx';
import { t } from '../shared/t.ts';
import { partyKey } from '../../security/form/readRuleFields.ts';
import { CellInspector } from './cellInspector.tsx';
import { columnKey, openRuleForm, type RuleForm } from './form.ts';
import { MatrixGrid } from './matrix.tsx';
import { RuleFieldsEditor } from './ruleFields.tsx';
import './main.css';

const form = openRuleForm();
const root = document.getElementById('root');
if (root !== null) {
  render(<Page />, root);
}

function Page(): JSX.Element {
  return (
    <FormMain page={form.page} title={() => (form.isSet.value ? t('Rule Set') : t('Rule'))}>
      {() => (form.isSet.value ? <RuleSet form={form} /> : <OneRule form={form} />)}
    </FormMain>
  );
}

/** A rule names its datamodel itself; only where none does, one can be chosen to look names up in. */
function RulesDatamodel({ form }: { readonly form: RuleForm }): JSX.Element {
  const named = form.rules.value.find(({ datamodel }) => datamodel !== '');
  const detail = named === undefined ? undefined : named.isLive ? t('live') : named.server;
  const choose =
    named === undefined
      ? { label: t('Choose…'), run: () => form.page.ask({ kind: 'datamodel' }) }
      : undefined;
  return (
    <DatamodelLine
      page={form.page}
      title={named?.datamodel ?? form.page.model.value.title}
      emptyText={t('No datamodel chosen')}
      detail={detail}
      choose={choose}
    />
  );
}

function OneRule({ form }: { readonly form: RuleForm }): JSX.Element {
  const isRule = form.rules.value[0]?.isOdd === false;
  return (
    <div class="one-rule">
      <h2 class="sr-only">{t('Properties')}</h2>
      <RulesDatamodel form={form} />
      {isRule ? (
        <RuleFieldsEditor form={form} place={0} />
      ) : (
        <Notice
          severity="warning"
          text={t('This document is no rule: a rule is a JSON object.')}
          action={{ label: t('Open JSON'), run: () => form.page.showText() }}
        />
      )}
    </div>
  );
}

function RuleSet({ form }: { readonly form: RuleForm }): JSX.Element {
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
          disabled={form.page.isFixed.value}
          onClick={() => form.page.ask({ kind: 'newRule' })}
        />
      </header>
      <Tabs
        label={t('Parts of the rule set')}
        active={form.tab.value}
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
        {form.tab.value === 'rules' ? <Rules form={form} /> : <Problems form={form} />}
      </Tabs>
    </>
  );
}

function Rules({ form }: { readonly form: RuleForm }): JSX.Element {
  const { parties, others } = form.matrix.value;
  return (
    <>
      {others.length === 0 ? null : (
        <Notice
          severity="warning"
          text={
            others.length === 1
              ? t('One entry names no party or no column, and stands in no cell.')
              : t('{0} entries name no party or no column, and stand in no cell.', others.length)
          }
          action={{ label: t('Open JSON'), run: () => form.page.showText([others[0] ?? 0]) }}
        />
      )}
      {parties.length === 0 ? (
        <div class="empty">
          <p>{t('There are no rules here yet: whoever may use the datamodel sees all of it.')}</p>
        </div>
      ) : (
        <div class="columns">
          <MatrixGrid form={form} />
          <CellInspector form={form} />
        </div>
      )}
    </>
  );
}

function Problems({ form }: { readonly form: RuleForm }): JSX.Element {
  const ruleAt = (path: readonly (string | number)[]) => {
    const [place] = path;
    return typeof place === 'number' ? form.rules.value[place] : undefined;
  };
  return (
    <ProblemList
      problems={form.page.problems.value}
      onOpen={({ path }) => {
        const rule = ruleAt(path);
        const [party] = rule?.parties ?? [];
        if (rule === undefined || party === undefined) {
          form.page.showText(path);
        } else {
          form.cell.value = { party: partyKey(party), column: columnKey(rule.table, rule.column) };
          form.tab.value = 'rules';
        }
      }}
      onShowText={({ path }) => form.page.showText(path)}
      placeOf={({ path }) => {
        const rule = ruleAt(path);
        return rule === undefined ? '' : `${rule.table}.${rule.column}`;
      }}
    />
  );
}
