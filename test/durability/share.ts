/**
 * How much of each story is played: `npm test` plays a little, `npm run test:durability` some times as much, as CI does,
 * and `npm run soak` all there is.
 */
export const isLargeShare = process.env.DURABILITY_SHARE === 'large'
