/** Names and other values that occur in the data of the demo seed. */

/** Region id, region, country, employee id of the manager. */
export const regions = [
  [1, 'North', 'Germany', 1],
  [2, 'South', 'Germany', 5],
  [3, 'West', 'France', 9],
  [4, 'Iberia', 'Spain', 13],
  [5, 'Alps', 'Switzerland', 17],
  [6, 'Nordics', 'Sweden', 21],
] as const;

/** City and region id; each city has one store. */
export const cities: readonly (readonly [string, number])[] = [
  ['Hamburg', 1],
  ['Bremen', 1],
  ['Kiel', 1],
  ['Hannover', 1],
  ['München', 2],
  ['Stuttgart', 2],
  ['Nürnberg', 2],
  ['Freiburg', 2],
  ['Paris', 3],
  ['Lyon', 3],
  ['Nantes', 3],
  ['Lille', 3],
  ['Madrid', 4],
  ['Valencia', 4],
  ['Bilbao', 4],
  ['Sevilla', 4],
  ['Zürich', 5],
  ['Bern', 5],
  ['Basel', 5],
  ['Luzern', 5],
  ['Stockholm', 6],
  ['Göteborg', 6],
  ['Malmö', 6],
  ['Uppsala', 6],
];

export const categories: readonly (readonly [category: string, department: string])[] = [
  ['Tents & Shelters', 'Outdoor'],
  ['Backpacks', 'Outdoor'],
  ['Sleeping Bags', 'Outdoor'],
  ['Footwear', 'Apparel'],
  ['Jackets', 'Apparel'],
  ['Base Layers', 'Apparel'],
  ['Climbing', 'Sports'],
  ['Cycling', 'Sports'],
  ['Water Sports', 'Sports'],
  ['Camp Kitchen', 'Home'],
  ['Lighting', 'Home'],
  ['Navigation', 'Electronics'],
];

export const productNouns = [
  'Dome Tent',
  'Trail Pack',
  'Down Bag',
  'Hiking Boot',
  'Shell Jacket',
  'Merino Shirt',
  'Harness',
  'Bike Helmet',
  'Dry Suit',
  'Gas Stove',
  'Headlamp',
  'GPS Watch',
] as const;

export const brands = ['Nordwind', 'Altura', 'Fjellvik', 'Monte Rosa', 'Trailhead', 'Brisa'] as const;
export const segments = ['Consumer', 'Club', 'Corporate'] as const;
export const channels = ['Store', 'Online', 'Phone', 'Partner'] as const;
export const statuses = ['Delivered', 'Shipped', 'Open', 'Canceled'] as const;
export const jobTitles = [
  'Sales Associate',
  'Cashier',
  'Visual Merchandiser',
  'Stock Clerk',
  'Assistant Manager',
] as const;
export const returnReasons = [
  'Wrong size',
  'Changed mind',
  'Damaged',
  'Late delivery',
  'Not as described',
] as const;

export const givenNames = [
  'Anna',
  'Ben',
  'Clara',
  'David',
  'Emma',
  'Felix',
  'Greta',
  'Hugo',
  'Inés',
  'Jakob',
  'Karin',
  'Luca',
  'Marie',
  'Noah',
  'Olivia',
  'Pablo',
  'Romy',
  'Simon',
  'Théo',
  'Ulla',
  'Vera',
  'Wim',
  'Yara',
  'Zoé',
] as const;

export const familyNames = [
  'Andersson',
  'Bauer',
  'Costa',
  'Dubois',
  'Eriksson',
  'Fischer',
  'García',
  'Huber',
  'Ibáñez',
  'Jansen',
  'Koch',
  'Laurent',
  'Meier',
  'Nilsson',
  'O’Brien',
  'Petit',
  'Richter',
  'Schmid',
  'Torres',
  'Vogel',
  'Weber',
  'Zimmermann',
] as const;
