import { groups, people } from '../people.ts';
import { builtInUsers, type SeedTarget } from '../port.ts';
import {
  exceptContent,
  everythingContent,
  createSeedExtractRule,
  forDefault,
  forGroup,
  forUser,
  createSeedLiveRule,
  nothingContent,
  onlyContent,
  type SeedRuleContent,
  type SeedRuleParty,
  type SeedRuleSpec,
} from '../seedRules.ts';

/** Returns a function that creates rules on one column, from a content (the visible values) and parties. */
const createColumnRule =
  (table: string, column: string, datatype?: 'numeric') =>
  (content: SeedRuleContent, ...parties: readonly SeedRuleParty[]): SeedRuleSpec => ({
    table,
    column,
    content,
    parties,
    ...(datatype === undefined ? {} : { datatype }),
  });

const region = createColumnRule('Regions', 'Region');
const segment = createColumnRule('Customers', 'Segment');
const channel = createColumnRule('Orders', 'Channel');
const status = createColumnRule('Orders', 'Status');
const department = createColumnRule('Categories', 'Department');
const product = createColumnRule('Products', 'Category Id', 'numeric');
const job = createColumnRule('Employees', 'Job Title');

/** All kinds of rules of platform-facts.md, 3.2; some users are in two groups with rules on the same column. */
const retailRules: readonly SeedRuleSpec[] = [
  region(onlyContent('North', 'South', 'West'), forGroup(groups.sales)),
  region(onlyContent('North', 'Nordics'), forGroup(groups.salesNorth)),
  region(onlyContent('South', 'Alps'), forGroup(groups.salesSouth)),
  region(
    everythingContent,
    forGroup(groups.executives),
    forGroup(groups.finance),
    forUser(builtInUsers.administrator),
  ),
  region(exceptContent('Iberia'), forUser(people.farid)),
  region(everythingContent, forGroup(groups.marketing), forGroup(groups.support)),
  region(nothingContent, forDefault),
  segment(onlyContent('Club'), forGroup(groups.marketing)),
  segment(everythingContent, forDefault),
  channel(exceptContent('Partner'), forGroup(groups.support)),
  channel(everythingContent, forDefault),
  status(nothingContent, forUser(people.liam)),
  status(everythingContent, forDefault),
  department(onlyContent('Outdoor', 'Apparel'), forUser(people.chiara), forUser(people.daniel)),
  department(everythingContent, forDefault),
  product(onlyContent('1', '2', '3'), forUser(people.daniel)),
  product(everythingContent, forDefault),
  job(exceptContent('Deputy Manager'), forUser(people.jonas)),
  job(everythingContent, forDefault),
];

const leadRegion = createColumnRule('Leads', 'Region');
const campaignChannel = createColumnRule('Campaigns', 'Channel');

const marketingRules: readonly SeedRuleSpec[] = [
  leadRegion(onlyContent('North', 'Nordics'), forGroup(groups.salesNorth)),
  leadRegion(onlyContent('South', 'Alps'), forGroup(groups.salesSouth)),
  leadRegion(nothingContent, forGroup(groups.support)),
  leadRegion(everythingContent, forDefault),
  campaignChannel(exceptContent('Print'), forGroup(groups.marketing)),
  campaignChannel(everythingContent, forDefault),
];

const country = createColumnRule('Tickets', 'Country');
const team = createColumnRule('Agents', 'Team');
const score = createColumnRule('Satisfaction', 'Score', 'numeric');

const supportRules: readonly SeedRuleSpec[] = [
  country(onlyContent('Germany', 'Switzerland'), forGroup(groups.support)),
  country(everythingContent, forUser(people.kavya), forGroup(groups.executives)),
  country(nothingContent, forDefault),
  team(onlyContent('First Line'), forUser(people.liam)),
  team(everythingContent, forDefault),
  score(onlyContent('1', '2', '3', '4', '5'), forGroup(groups.support)),
];

/** The name of the cube set. Its rules have the server `set` (rest-api.md, "Data security rule"). */
const cubeSet = 'Regional Sales';

const cubeSetRules: readonly SeedRuleSpec[] = [
  region(onlyContent('North', 'Nordics'), forGroup(groups.salesNorth)),
  region(onlyContent('South', 'Alps'), forGroup(groups.salesSouth)),
  region(everythingContent, forGroup(groups.executives)),
  region(nothingContent, forDefault),
];

const insertLabelled = (
  rules: readonly SeedRuleSpec[],
  insert: (label: string, spec: SeedRuleSpec) => void,
): void => rules.forEach((spec, index) => insert(`${index}`, spec));

/** Inserts the rules of the demo seed. */
export function insertDemoRules(store: SeedTarget): void {
  const extract = (server: string, cube: string, rules: readonly SeedRuleSpec[]): void =>
    insertLabelled(rules, (label, spec) =>
      store.insertExtractRule(createSeedExtractRule(server, cube, label, spec)),
    );
  extract('LocalHost', 'Retail', retailRules);
  extract('LocalHost', 'Marketing', marketingRules);
  extract('set', cubeSet, cubeSetRules);
  insertLabelled(supportRules, (label, spec) =>
    store.insertLiveRule(createSeedLiveRule('Support Desk', label, spec)),
  );
}
