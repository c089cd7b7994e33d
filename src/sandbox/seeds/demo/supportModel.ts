import type { JsonObject } from '../../../base/json.ts';
import { createSeedModel, seededAt } from '../seedDocuments.ts';
import { createSeedOid } from '../seedIds.ts';
import { builtInUsers } from '../seed.ts';
import { createCustomColumn, createPlainColumn } from './columns.ts';

/** A database connection (platform-facts.md, 2.5). On a real platform its parameters are an encrypted string. */
const connection: JsonObject = {
  id: null,
  oid: createSeedOid('connection/Service Desk'),
  provider: 'PostgreSQL',
  name: 'Service Desk',
  description: 'Read replica of the ticket system',
  schema: 'desk',
  fileName: null,
  parameters: {
    ApiVersion: '2',
    Server: 'tickets.sandbox.local',
    DefaultDatabase: 'desk',
    Database: 'desk',
    UserName: 'reporting',
    Password: '',
    EncryptConnection: true,
    AdditionalParameters: '',
  },
  owner: builtInUsers.administrator._id,
  autoRefresh: false,
  protectedParameters: null,
  uiParams: null,
  globalTableConfigOptions: {},
  enabled: true,
  created: seededAt,
  lastModified: seededAt,
  supportedModelTypes: ['LIVE', 'EXTRACT'],
  timeout: 60_000,
  refreshRate: 30_000,
  resultLimit: 5000,
};

const openTicketsByAgentSql = `SELECT a.[Agent], COUNT(*) AS [Open Tickets], MIN(t.[Opened At]) AS [Oldest]
FROM [Tickets] t
JOIN [Agents] a ON a.[Agent Id] = t.[Agent Id]
WHERE t.[Closed At] IS NULL
GROUP BY a.[Agent]`;

/** Creates the Support Desk datamodel, a live datamodel, which is published instead of built. */
export function createSupportModel(): JsonObject {
  return createSeedModel({
    title: 'Support Desk',
    type: 'live',
    datasets: [
      {
        name: 'Service Desk',
        type: 'live',
        connection,
        tables: [
          {
            name: 'Tickets',
            id: 'tickets',
            columns: [
              createPlainColumn('Ticket Id', 'bigInt'),
              createPlainColumn('Opened At', 'timestamp'),
              createPlainColumn('Closed At', 'timestamp'),
              createPlainColumn('Priority', 'text'),
              createPlainColumn('Channel', 'text'),
              createPlainColumn('Country', 'text'),
              createPlainColumn('Agent Id', 'integer', { hidden: true }),
              createCustomColumn('Hours Open', 'integer', 'HOURDIFF([Closed At], [Opened At])'),
            ],
          },
          {
            name: 'Agents',
            id: 'agents',
            columns: [
              createPlainColumn('Agent Id', 'integer'),
              createPlainColumn('Agent', 'text'),
              createPlainColumn('Team', 'text'),
            ],
          },
          {
            name: 'Satisfaction',
            id: 'satisfaction',
            columns: [
              createPlainColumn('Ticket Id', 'bigInt', { hidden: true }),
              createPlainColumn('Score', 'integer'),
              createPlainColumn('Comment', 'text', { hidden: true }),
            ],
          },
        ],
      },
      {
        name: 'Custom Tables',
        type: 'custom',
        tables: [
          {
            name: 'Open Tickets by Agent',
            expression: openTicketsByAgentSql,
            columns: [
              createPlainColumn('Agent', 'text'),
              createPlainColumn('Open Tickets', 'integer'),
              createPlainColumn('Oldest', 'timestamp'),
            ],
          },
        ],
      },
    ],
    relations: [
      ['Tickets.Agent Id', 'Agents.Agent Id'],
      ['Satisfaction.Ticket Id', 'Tickets.Ticket Id'],
    ],
  });
}
