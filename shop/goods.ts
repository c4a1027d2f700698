// What Kiln & Thread sells: a small invented marketplace of ceramics and textiles, as rows.

/** One product. Prices in minor units of USD. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly line: string;
  readonly story: string;
  readonly price: number;
  /** What the price holds of VAT, in minor units; the shop states it, Holdfast knows no rate. */
  readonly tax?: number;
  readonly seller: 'sam' | 'sue' | 'greta';
  /** Sold in escrow by a plan: milestones with their shares, or a deposit that comes back. */
  readonly plan?: readonly Stretch[] | 'deposit';
}

/** A milestone of a commission. Minor units of USD; they sum to the price. */
export interface Stretch {
  readonly name: string;
  readonly price: number;
}

/** Days after which a deposit goes back by itself. */
export const RENT_DAYS = 7;

/** The share of a sale that the marketplace keeps. */
export const FEE_PERCENT = 10;

export const PRODUCTS: readonly Product[] = [
  {
    id: 'ash-mug',
    name: 'Ash-glaze mug',
    line: 'Stoneware, wood fired, 300 ml',
    story:
      'Thrown in one go and fired for two days with oak and apple wood. The ash that settles on ' +
      'the shoulder melts into the glaze, so no two run alike.',
    price: 3_800,
    seller: 'sam',
  },
  {
    id: 'indigo-throw',
    name: 'Indigo throw',
    line: 'Lambswool, hand woven, 130 × 180 cm',
    story:
      'Dipped eleven times in a living indigo vat and woven on a loom from 1938. It is heavy, ' +
      'warm, and smells of nothing but wool.',
    price: 12_800,
    seller: 'sue',
  },
  {
    id: 'moon-jar',
    name: 'Moon jar',
    line: 'Porcelain, 34 cm, one of one',
    story:
      'Two bowls joined at the belly. The seam pulls a little in the kiln, and that makes it a ' +
      'moon and not a ball. It takes a week to pack: a good reason to hold the money.',
    price: 24_000,
    seller: 'sam',
  },
  {
    id: 'linen-cushion',
    name: 'Linen cushion',
    line: 'Washed linen, madder red, 50 × 50 cm',
    story:
      'Madder root, an iron pot and patience. The filling is wool from the same valley, and the ' +
      'cover comes off for the wash.',
    price: 5_400,
    seller: 'sue',
  },
  {
    id: 'breakfast-bowls',
    name: 'Breakfast bowls',
    line: 'Earthenware, set of three',
    story:
      'Slip-dipped to three heights, so that they stack by colour. The rims are left bare: they ' +
      'are kind to spoons.',
    price: 6_400,
    seller: 'sam',
  },
  {
    id: 'salt-jug',
    name: 'Salt-glaze jug',
    line: 'Stoneware from the Westerwald, 1 l',
    story:
      'Grey clay, cobalt blue, and a handful of salt thrown into the fire: it leaves the glaze ' +
      'that feels like orange peel. Its price holds 19 % VAT, which the sale states.',
    price: 5_950,
    tax: 950,
    seller: 'greta',
  },
  {
    id: 'dinner-service',
    name: 'Dinner service',
    line: 'Made for you, in three stretches',
    story:
      'Test pieces first, then the plates, then the bowls. The money is held from the start, and ' +
      'each stretch is released on its own; what goes wrong is met halfway, or given back.',
    price: 60_000,
    seller: 'sam',
    plan: [
      { name: 'Test pieces', price: 12_000 },
      { name: 'Eighteen plates', price: 30_000 },
      { name: 'Six bowls', price: 18_000 },
    ],
  },
  {
    id: 'loom-deposit',
    name: 'Deposit for a loom',
    line: 'A table loom, lent for a week',
    story:
      'Sue lends the loom; the deposit is only held. After a week it goes back to you by itself, ' +
      'unless Sue and the shop find that something broke.',
    price: 20_000,
    seller: 'sue',
    plan: 'deposit',
  },
];

/** A product by its id, or null. */
export function productOf(id: string): Product | null {
  return PRODUCTS.find((one) => one.id === id) ?? null;
}

/**
 * The marketplace's share of a sale without its tax, in minor units; fractions of a cent stay with
 * the seller.
 */
export function feeOf({ price, tax = 0 }: Pick<Product, 'price' | 'tax'>): number {
  return Math.floor(((price - tax) * FEE_PERCENT) / 100);
}
