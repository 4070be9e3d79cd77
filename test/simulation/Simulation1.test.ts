import { simulateSeeds } from "./Seeds.ts"

// Takes long: a month of webhooks for every fourth seed.

simulateSeeds(1)
