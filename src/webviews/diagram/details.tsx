import type { DiagramRelation, DiagramTable } from '../diagramLayout/diagramModel.ts';
import { canExpand } from '../diagramLayout/boxMetrics.ts';
import { t } from '../shared/t.ts';
import { type DiagramViewProps, isFileDiagram } from './diagramProps.ts';
import { ToolbarButton } from './toolbar.tsx';
import { formatColumnCount, getBadgeLabels, describeRelation } from './labels.ts';

interface DetailsProps extends DiagramViewProps {
  readonly table: DiagramTable;
  readonly isExpanded: boolean;
  readonly setHoveredRelation: (relationId: string | undefined) => void;
}

/** The details of the selected table: its properties, actions and relations. */
export function Details({
  data,
  host,
  tables,
  selectTable,
  setTableExpanded,
  table,
  isExpanded,
  setHoveredRelation,
}: DetailsProps) {
  const relations = data.model.relations.filter(({ ends }) => ends.some((end) => end.table === table.id));
  return (
    <aside class="details" aria-label={t('Table {0}', table.name)}>
      <div class="heading">
        <h2>{table.name}</h2>
        <ToolbarButton icon="close" label={t('Close')} run={() => selectTable(undefined)} />
      </div>
      <p class="muted">
        {[table.dataset, ...getBadgeLabels(table), formatColumnCount(table.columns.length)].join(' · ')}
      </p>
      <TableActions {...{ host, table }} isReadOnly={isFileDiagram(data)} />
      {canExpand(table) ? (
        <button type="button" class="link" onClick={() => setTableExpanded(table.id, !isExpanded)}>
          {isExpanded ? t('Show Key Columns Only') : t('Show All Columns')}
        </button>
      ) : null}
      <h3>{t('Relations')}</h3>
      {relations.length === 0 ? <p class="muted">{t('None')}</p> : null}
      <ul>
        {relations.map((relation) => (
          <li
            key={relation.id}
            onMouseEnter={() => setHoveredRelation(relation.id)}
            onMouseLeave={() => setHoveredRelation(undefined)}
            onFocusCapture={() => setHoveredRelation(relation.id)}
            onBlurCapture={() => setHoveredRelation(undefined)}
          >
            <button
              type="button"
              class="link"
              title={t('Go to {0}', getOtherTable(relation, table, tables)?.name ?? table.name)}
              onClick={() =>
                selectTable(getOtherTable(relation, table, tables)?.id ?? table.id, { focus: true })
              }
            >
              {describeRelation(relation, tables)}
            </button>
            <ToolbarButton
              icon="go-to-file"
              label={t('Open relation {0}', describeRelation(relation, tables))}
              run={() => host.post({ type: 'openRelation', relation: relation.id })}
            />
          </li>
        ))}
      </ul>
    </aside>
  );
}

const getOtherTable = (
  { ends }: DiagramRelation,
  { id }: DiagramTable,
  tables: ReadonlyMap<string, DiagramTable>,
): DiagramTable | undefined => tables.get(ends.find(({ table }) => table !== id)?.table ?? '');

/** The buttons for the actions of a table. */
export function TableActions({
  host,
  table,
  isReadOnly: canOnlyOpen,
}: {
  readonly host: DiagramViewProps['host'];
  readonly table: DiagramTable;
  /** Whether the table can only be opened. */
  readonly isReadOnly: boolean;
}) {
  const openButton = (
    <button type="button" class="button" onClick={() => host.post({ type: 'open', table: table.id })}>
      {t('Open')}
    </button>
  );
  if (canOnlyOpen) {
    return <div class="actions">{openButton}</div>;
  }
  return (
    <div class="actions">
      {openButton}
      <button type="button" class="button" onClick={() => host.post({ type: 'reveal', table: table.id })}>
        {t('Reveal in Connections View')}
      </button>
      <button
        type="button"
        class="button"
        onClick={() => host.post({ type: 'relate', ends: [{ table: table.id }] })}
      >
        {t('Create Relation from Here…')}
      </button>
      {table.isSecured ? (
        <button type="button" class="button" onClick={() => host.post({ type: 'access' })}>
          {t('Show Effective Access…')}
        </button>
      ) : null}
    </div>
  );
}
