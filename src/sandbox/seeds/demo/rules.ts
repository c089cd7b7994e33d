import { groups, people } from '../people.ts';
import { builtInUsers, type SeedTarget } from '../port.ts';
import {
  allBut,
  everything,
  extractRule,
  forDefault,
  forGroup,
  forUser,
  liveRule,
  nothing,
  only,
  type RuleContent,
  type RuleParty,
  type RuleSpec,
} from '../ruleDocuments.ts';

/** Says for one column who may see what. */
const on =
  (table: string, column: string, datatype?: 'numeric') =>
  (content: RuleContent, ...parties: readonly RuleParty[]): RuleSpec => ({
    table,
    column,
    content,
    parties,
    ...(datatype === undefined ? {} : { datatype }),
  });

const region = on('Regions', 'Region');
const segment = on('Customers', 'Segment');
const channel = on('Orders', 'Channel');
const status = on('Orders', 'Status');
const department = on('Categories', 'Department');
const product = on('Products', 'Category Id', 'numeric');
const job = on('Employees', 'Job Title');

/** Every kind of platform-facts 3.2 for users and groups; Amara and Bruno have two group lists on one column. */
const retailRules: readonly RuleSpec[] = [
  region(only('North', 'South', 'West'), forGroup(groups.sales)),
  region(only('North', 'Nordics'), forGroup(groups.salesNorth)),
  region(only('South', 'Alps'), forGroup(groups.salesSouth)),
  region(
    everything,
    forGroup(groups.executives),
    forGroup(groups.finance),
    forUser(builtInUsers.administrator),
  ),
  region(allBut('Iberia'), forUser(people.farid)),
  region(everything, forGroup(groups.marketing), forGroup(groups.support)),
  region(nothing, forDefault),
  segment(only('Club'), forGroup(groups.marketing)),
  segment(everything, forDefault),
  channel(allBut('Partner'), forGroup(groups.support)),
  channel(everything, forDefault),
  status(nothing, forUser(people.liam)),
  status(everything, forDefault),
  department(only('Outdoor', 'Apparel'), forUser(people.chiara), forUser(people.daniel)),
  department(everything, forDefault),
  product(only('1', '2', '3'), forUser(people.daniel)),
  product(everything, forDefault),
  job(allBut('Deputy Manager'), forUser(people.jonas)),
  job(everything, forDefault),
];

const leadRegion = on('Leads', 'Region');
const campaignChannel = on('Campaigns', 'Channel');

const marketingRules: readonly RuleSpec[] = [
  leadRegion(only('North', 'Nordics'), forGroup(groups.salesNorth)),
  leadRegion(only('South', 'Alps'), forGroup(groups.salesSouth)),
  leadRegion(nothing, forGroup(groups.support)),
  leadRegion(everything, forDefault),
  campaignChannel(allBut('Print'), forGroup(groups.marketing)),
  campaignChannel(everything, forDefault),
];

const country = on('Tickets', 'Country');
const team = on('Agents', 'Team');
const score = on('Satisfaction', 'Score', 'numeric');

const supportRules: readonly RuleSpec[] = [
  country(only('Germany', 'Switzerland'), forGroup(groups.support)),
  country(everything, forUser(people.kavya), forGroup(groups.executives)),
  country(nothing, forDefault),
  team(only('First Line'), forUser(people.liam)),
  team(everything, forDefault),
  score(only('1', '2', '3', '4', '5'), forGroup(groups.support)),
];

/** The name of the cube set; `server` is the term `set` (spec, "Data security rule"). */
const cubeSet = 'Regional Sales';

const cubeSetRules: readonly RuleSpec[] = [
  region(only('North', 'Nordics'), forGroup(groups.salesNorth)),
  region(only('South', 'Alps'), forGroup(groups.salesSouth)),
  region(everything, forGroup(groups.executives)),
  region(nothing, forDefault),
];

const labelled = (rules: readonly RuleSpec[], insert: (label: string, spec: RuleSpec) => void): void =>
  rules.forEach((spec, index) => insert(`${index}`, spec));

/** Puts the rules of the demo into a sandbox. */
export function insertDemoRules(store: SeedTarget): void {
  const extract = (server: string, cube: string, rules: readonly RuleSpec[]): void =>
    labelled(rules, (label, spec) => store.insertExtractRule(extractRule(server, cube, label, spec)));
  extract('LocalHost', 'Retail', retailRules);
  extract('LocalHost', 'Marketing', marketingRules);
  extract('set', cubeSet, cubeSetRules);
  labelled(supportRules, (label, spec) => store.insertLiveRule(liveRule('Support Desk', label, spec)));
}
