// boardgame.io's own server with its own storage (in memory) and a game of next to no rules: a
// player puts a card on the pile and draws another. Each client sees its own hand only.
const { Server, Origins } = require('boardgame.io/server');
const { ActivePlayers } = require('boardgame.io/core');

const SEATS = ['0', '1', '2', '3'];
const HAND = 11;
const PACK = [...'SHDC'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));

const cards = {
  name: 'cards',
  disableUndo: true, // the list of what can be undone would grow with every move
  setup: ({ random }) => {
    const stock = random.Shuffle([...PACK, ...PACK]);
    const hands = Object.fromEntries(SEATS.map((seat) => [seat, stock.splice(0, HAND)]));
    return { stock, hands, pile: [stock.pop()], last: null };
  },
  turn: { activePlayers: ActivePlayers.ALL },
  moves: {
    play: ({ G, playerID }, place) => {
      const hand = G.hands[playerID];
      const [card] = hand.splice(place, 1);
      hand.push(G.stock.pop());
      G.stock.unshift(G.pile.pop());
      G.pile.push(card);
      G.last = [playerID, card];
    },
  },
  playerView: ({ G, playerID }) => ({
    hand: playerID === null ? null : G.hands[playerID],
    hands: SEATS.map((seat) => G.hands[seat].length),
    stock: G.stock.length,
    pile: G.pile,
    last: G.last,
  }),
};

const origin = `http://127.0.0.1:${process.env.PORT}`;
Server({ games: [cards], origins: [Origins.LOCALHOST, origin] }).run({ port: +process.env.PORT });
