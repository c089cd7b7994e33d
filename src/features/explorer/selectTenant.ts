import * as vscode from 'vscode';
import { getBaseConnectionId, getTenantConnectionId, isTenantId } from '../../catalog/tenantConnection.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { type ConnectionPickerDeps, resolveTargetConnection } from '../../platform/pickConnection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { type ChoiceItem, promptForChoice } from '../../platform/wizard.ts';
import type { ExplorerNodeDeps } from './nodes/node.ts';

const t = vscode.l10n.t;

/**
 * Asks for the tenant that the viewpoints of a connection are read and changed for (rest-api.md, "Viewpoint API"): a
 * known one, or any other. No endpoint lists tenants.
 */
export async function selectTenant(
  deps: ConnectionPickerDeps & Pick<ExplorerNodeDeps, 'sessions' | 'tenants'>,
  target?: ConnectionTarget,
): Promise<void> {
  const { connections, sessions, tenants } = deps;
  const pickedConnection = await resolveTargetConnection(deps, target, {
    placeholder: t('Select a connection'),
  });
  const connection = pickedConnection && connections.find(getBaseConnectionId(pickedConnection.id));
  if (connection === undefined) {
    return;
  }
  const shownConnectionId = tenants.getConnectionId(connection.id);
  const loadedViewpoints = [connection.id, shownConnectionId].flatMap(
    (id) => sessions.peek(id)?.catalog.knownResources.viewpoints ?? [],
  );
  const knownTenants = new Set([
    ...tenants.getRecent(connection.id),
    ...loadedViewpoints.flatMap(({ tenantId }) => tenantId ?? []),
  ]);
  const answer = await promptForChoice<string>(
    {
      title: t('Tenant for Viewpoints on {0}', connection.name),
      placeholder: t('Select or enter a tenant ID'),
      currentValue: tenants.get(connection.id) ?? '',
      createTypedItem: (text) =>
        isTenantId(text) && !knownTenants.has(text) ? createTypedItem(text) : undefined,
    },
    [
      {
        label: t('Connection default'),
        description: connection.tenantId ?? t('no tenant'),
        value: '',
      },
      ...[...knownTenants].filter(isTenantId).map((tenantId) => ({
        label: toPlainText(tenantId),
        iconPath: new vscode.ThemeIcon('organization'),
        value: tenantId,
      })),
    ],
    { step: 1, totalSteps: 1 },
  );
  if (typeof answer === 'object') {
    const tenantId = answer.value === '' ? undefined : answer.value;
    const nextConnectionId =
      tenantId === undefined ? connection.id : getTenantConnectionId(connection.id, tenantId);
    // Changes made for another tenant may also affect the cached viewpoints of this one.
    sessions.peek(nextConnectionId)?.catalog.invalidate({ kind: 'viewpoints' });
    tenants.select(connection.id, tenantId);
  }
}

const createTypedItem = (tenantId: string): ChoiceItem<string> => ({
  label: t('Tenant {0}', toPlainText(tenantId)),
  iconPath: new vscode.ThemeIcon('add'),
  value: tenantId,
});
