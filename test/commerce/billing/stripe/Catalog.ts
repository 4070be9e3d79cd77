/** Two plans, an add-on for both, an add-on for the larger plan alone, and an add-on that nobody can remove. */
export const catalog = {
  currency: "USD",
  plans: [
    {
      key: "starter",
      name: "Starter",
      monthly_price_cents: 2900,
      addons: ["pack", "onboarding"],
      grants: { answers: { allowance: 10, overage_price_cents: 7 } },
      stripe_price: "price_starter"
    },
    {
      key: "growth",
      name: "Growth",
      monthly_price_cents: 9900,
      addons: ["pack", "onboarding", "priority"],
      grants: { answers: { allowance: 100 } },
      stripe_price: "price_growth"
    }
  ],
  addons: [
    {
      key: "pack",
      name: "Pack",
      monthly_price_cents: 1900,
      removable: true,
      grants: { answers: { allowance: 1000 } },
      stripe_price: "price_pack"
    },
    {
      key: "priority",
      name: "Priority",
      monthly_price_cents: 4900,
      removable: true,
      grants: { priority: true },
      stripe_price: "price_priority"
    },
    {
      key: "onboarding",
      name: "Onboarding",
      monthly_price_cents: 500,
      removable: false,
      grants: {},
      stripe_price: "price_onboarding"
    }
  ],
  resources: [
    { key: "answers", name: "Answers", kind: "metered" },
    { key: "priority", name: "Priority support", kind: "flag" }
  ]
}
