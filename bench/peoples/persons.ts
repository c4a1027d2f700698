// Invented persons of a population: names, families with the customs of the country, twins, ages,
// telephones, tax digits. The same seed gives the same persons, household by household.
import type { Stated } from '../../src/product/people/matching/features.ts';
import { below, byWeight, namesOf, pick, rngFor, wordsIn, type Rng } from './draw.ts';
import type { Era, NameList, People } from './people.ts';
import { addressesOf, type Address } from './places.ts';

/** How the people of a population are drawn. */
export interface Setting {
  /** One city that all share, or many towns. */
  readonly inCity: boolean;
  /** Whether everybody states the last digits of a tax number, or nobody. */
  readonly tax: boolean;
}

/** A person and what relatives take from them. */
export interface Person {
  readonly stated: Stated;
  readonly isMan: boolean;
  readonly born: Date;
  /** The given name alone, and the surname that children get. */
  readonly given: string;
  readonly family: string;
}

/** Kinds of relatives who are told from a stored person. */
export const KIN = ['twin', 'sibling', 'spouse', 'child', 'junior', 'housemate'] as const;
export type Kin = (typeof KIN)[number];

const DAY = 86_400_000;
const YEAR = 365.25 * DAY;
const TODAY = Date.UTC(2025, 0, 1);
const YOUNGEST = 18;
/** Of those who live together: who state one telephone, and who state none at all. */
const SHARED_PHONE = 0.15;
const NO_PHONE = 0.05;
const NO_BIRTH = 0.01;
const PARTICLES = /\b(?:de|del|la|di)-/g;

/** Everything that is drawn of a population. */
export class Peopled {
  readonly people: People;
  readonly setting: Setting;
  readonly address: (rng: Rng) => Address;
  readonly #surname: (rng: Rng) => string;
  readonly #womens: ((rng: Rng) => string) | null;
  readonly #given: readonly GivenEra[];
  readonly #second: { men: Draw | null; women: Draw | null };
  readonly #age: (rng: Rng) => number;

  constructor(people: People, setting: Setting) {
    this.people = people;
    this.setting = setting;
    this.address = addressesOf(people.places, setting.inCity);
    this.#surname = namesOf(people.surnames);
    this.#womens = people.custom.womens ? namesOf(people.custom.womens.list) : null;
    this.#given = people.eras.map(({ until, men, women }: Era) => {
      return { until: until ?? Infinity, men: namesOf(men), women: namesOf(women) };
    });
    const { men, women } = people.secondName;
    const drawn = (list?: NameList): Draw | null => (list === undefined ? null : namesOf(list));
    this.#second = { men: drawn(men), women: drawn(women) };
    this.#age = byWeight(wordsIn(people.ages).map(Number));
  }

  /** A birth date by the pyramid, adults only. */
  born(rng: Rng): Date {
    const years = 15 + 5 * this.#age(rng) + 5 * rng();
    return years < YOUNGEST ? this.born(rng) : this.#onDay(rng, TODAY - years * YEAR);
  }

  #onDay(rng: Rng, time: number): Date {
    const day = new Date(Math.floor(time / DAY) * DAY);
    if (rng() >= this.people.newYear) return day;
    return new Date(Date.UTC(day.getUTCFullYear(), 0, 1));
  }

  /** A given name of the time. */
  given(rng: Rng, isMan: boolean, born: Date): string {
    const year = born.getUTCFullYear();
    const era = this.#given.find(({ until }) => year < until) as GivenEra;
    return (isMan ? era.men : era.women)(rng);
  }

  /** A family's surname: that which children get; of both parents where that is the custom. */
  surname(rng: Rng, mothers = this.people.custom.bothParents): string {
    const own = this.#surname(rng);
    return mothers ? `${own} ${this.#surname(rng)}` : own;
  }

  /** A person of a family at an address. */
  person(
    rng: Rng,
    { isMan, born, family, given, address, phone }: Omit<Person, 'stated'> & Household,
  ): Person {
    const { secondName, custom, country } = this.people;
    const own = isMan ? this.#second.men : this.#second.women;
    let [first, middle] = [given, ''];
    if (rng() < secondName.share) {
      const second = own === null ? this.given(rng, isMan, born) : own(rng);
      if (second === given) middle = '';
      else if (rng() >= secondName.together) middle = second;
      else first = secondName.leads ? `${second} ${given}` : `${given} ${second}`;
    }
    const isWomens = !isMan && this.#womens !== null && rng() < (custom.womens?.share ?? 0);
    const last = isWomens && this.#womens !== null ? this.#womens(rng) : family;
    const stated: Stated = {
      ...{ first: shown(first), middle: shown(middle), last: shown(last) },
      date_of_birth: rng() < NO_BIRTH ? '' : born.toISOString().slice(0, 10),
      ...address,
      country,
      phone_number: rng() < NO_PHONE ? '' : rng() < SHARED_PHONE ? phone : this.phone(rng),
      ssn_last4: this.setting.tax ? digits(rng, '####') : '',
    };
    return { stated, isMan, born, given, family };
  }

  phone(rng: Rng): string {
    return digits(rng, pick(rng, this.people.phones));
  }

  /** Somebody who lives alone at a new address. */
  alone(rng: Rng): Person {
    const [isMan, born] = [rng() < 0.5, this.born(rng)];
    const [address, phone] = [this.address(rng), this.phone(rng)];
    const given = this.given(rng, isMan, born);
    return this.person(rng, { isMan, born, given, family: this.surname(rng), address, phone });
  }

  /** A relative, who lives with that person and has a name by the custom of the country. */
  kin(rng: Rng, of: Person, kind: Kin): Person {
    const { custom } = this.people;
    const { street, street2, city, region, zip, phone_number } = of.stated;
    const address = { street, street2, city, region, zip };
    const away = (years: number): Date => this.#onDay(rng, of.born.getTime() + years * YEAR);
    const isMan = sexOf(rng, of, kind);
    const born = kind === 'twin' ? of.born : away(yearsTo(rng, kind));
    const alike = kind === 'twin' || kind === 'sibling';
    const other = (): string =>
      alike ? this.#beside(rng, of, isMan, born) : this.given(rng, isMan, born);
    const given = kind === 'junior' ? of.given : other();
    const family = this.#familyOf(rng, of, kind, custom.wifeTakes);
    const person = { isMan, born, given, family, address, phone: phone_number };
    return this.person(rng, person);
  }

  #familyOf(rng: Rng, of: Person, kind: Kin, wifeTakes: number): string {
    if (kind === 'housemate') return this.surname(rng);
    if (kind === 'spouse') return rng() < wifeTakes ? of.family : this.surname(rng);
    if (!this.people.custom.bothParents || kind === 'twin' || kind === 'sibling') return of.family;
    return `${of.family.split(' ')[0]} ${this.surname(rng, false)}`;
  }

  /** The given name of a sibling: another one, often with a syllable or second name in common. */
  #beside(rng: Rng, of: Person, isMan: boolean, born: Date): string {
    const other = this.given(rng, isMan, born);
    if (other === of.given) return this.#beside(rng, of, isMan, born);
    if (rng() >= this.people.custom.siblingsAlike) return other;
    const [[lead, own], tail] = [of.given.split('-'), other.split('-')[1]];
    if (own !== undefined && tail !== undefined && tail !== own) return `${lead}-${tail}`;
    const { first, middle } = of.stated;
    const second = wordsIn(`${first} ${middle}`).find((one) => one !== of.given && one !== other);
    if (second === undefined) return other;
    return this.people.secondName.leads ? `${second} ${other}` : `${other} ${second}`;
  }

  /** Endless persons, household by household. */
  *persons(seed: number): Generator<Person, never> {
    const rng = rngFor(seed, this.people.key);
    for (;;) {
      const one = this.alone(rng);
      yield one;
      // Of four households, two are of one adult who applies.
      const kind = rng();
      if (kind < 0.5) continue;
      if (kind < 0.62) yield this.kin(rng, one, 'housemate');
      else if (kind < 0.8) yield this.kin(rng, one, 'spouse');
      if (kind < 0.72 || one.born.getTime() > TODAY - 40 * YEAR) continue;
      const isJunior = one.isMan && rng() < this.people.custom.juniors;
      const child = this.kin(rng, one, isJunior ? 'junior' : 'child');
      yield child;
      const more = rng();
      if (more < 0.012) yield this.kin(rng, child, 'twin');
      else if (more < 0.4) yield this.kin(rng, child, 'sibling');
    }
  }
}

interface Household {
  readonly address: Address;
  readonly phone: string;
}

type Draw = (rng: Rng) => string;

interface GivenEra {
  readonly until: number;
  readonly men: Draw;
  readonly women: Draw;
}

/** Seven of ten twins are of one sex. */
function sexOf(rng: Rng, of: Person, kind: Kin): boolean {
  if (kind === 'junior') return of.isMan;
  if (kind === 'spouse') return !of.isMan;
  return rng() < (kind === 'twin' ? 0.7 : 0.5) ? of.isMan : !of.isMan;
}

/** Years from the birth of a person to that of a relative. */
function yearsTo(rng: Rng, kind: Kin): number {
  if (kind === 'child' || kind === 'junior') return 18 + 17 * rng();
  if (kind === 'housemate') return 20 * (rng() - 0.5);
  return (1 + 6 * rng()) * (rng() < 0.5 ? -1 : 1);
}

/** A name as it is stated: particles are words of their own, a Korean hyphen stays. */
function shown(name: string): string {
  return name.replaceAll(PARTICLES, (text) => text.replace('-', ' '));
}

function digits(rng: Rng, form: string): string {
  return form.replaceAll('#', () => String(below(rng, 10)));
}
