import type { JsonObject } from '../../../base/json.ts';
import { modelDocument, seededAt } from '../documents.ts';
import { oid } from '../ids.ts';
import { builtInUsers } from '../port.ts';
import { custom, source } from './columns.ts';

/** The connection of a data base (platform-facts 2.5); its parameters are an encrypted text there. */
const connection: JsonObject = {
  id: null,
  oid: oid('connection/Service Desk'),
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

const openByAgent = `SELECT a.[Agent], COUNT(*) AS [Open Tickets], MIN(t.[Opened At]) AS [Oldest]
FROM [Tickets] t
JOIN [Agents] a ON a.[Agent Id] = t.[Agent Id]
WHERE t.[Closed At] IS NULL
GROUP BY a.[Agent]`;

/** The service desk: a live model, queried in its source; it is published instead of built. */
export function supportModel(): JsonObject {
  return modelDocument({
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
              source('Ticket Id', 'bigInt'),
              source('Opened At', 'timestamp'),
              source('Closed At', 'timestamp'),
              source('Priority', 'text'),
              source('Channel', 'text'),
              source('Country', 'text'),
              source('Agent Id', 'integer', { hidden: true }),
              custom('Hours Open', 'integer', 'HOURDIFF([Closed At], [Opened At])'),
            ],
          },
          {
            name: 'Agents',
            id: 'agents',
            columns: [source('Agent Id', 'integer'), source('Agent', 'text'), source('Team', 'text')],
          },
          {
            name: 'Satisfaction',
            id: 'satisfaction',
            columns: [
              source('Ticket Id', 'bigInt', { hidden: true }),
              source('Score', 'integer'),
              source('Comment', 'text', { hidden: true }),
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
            expression: openByAgent,
            columns: [
              source('Agent', 'text'),
              source('Open Tickets', 'integer'),
              source('Oldest', 'timestamp'),
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
