// Every sentence of the page, in English and French.

const WORDS = {
  en: {
    play: "Play", analyse: "Analyse", review: "Review", skip: "Skip to the board", language: "Français",
    theme: "Dark or light", help: "Help", close: "Close", offline: "The server does not answer. Trying again…",
    stranger: "The server was started anew: open the address that it has printed.",
    game: "Game", size: "Board", seconds: "Seconds for a move", first: "First player", second: "Second player", person: "Person",
    searches: "Searches", new_game: "New game", undo: "Undo", hint: "Hint", resign: "Resign", swap: "Swap sides",
    type_move: "Type a move", play_it: "Play", record: "Game record", save: "Save", load: "Load a file", usual: "usual size", paste: "Paste a record or a position",
    read: "Read it", to_move: "{who} to move", won: "{who} wins", won_by: "{who} wins by {points}", draw: "The game is a draw",
    resigned: "{loser} resigns: {who} wins", thinking: "{who} is thinking…", played: "{who} plays {move}.", hint_is: "Hint: {move}",
    looking_back: "Move {at} of {all}", empty: "empty", can_play: "can be played", can_move: "can move", board_of: "Board of {game}",
    other_moves: "Other moves", move_list: "Moves", begin: "To the beginning", back: "One move back", on: "One move on", end: "To the end",
    search: "Search", second_search: "Second search", none: "none", number: "Colours on the board", seed: "Seed", threads: "Threads", memory: "Memory (MiB)", playouts: "Playouts",
    start: "Start", pause: "Pause", deeper: "Twice as deep", visits: "visits", mean: "mean (%)", amaf: "AMAF mean (%)", beta: "beta", exploration: "exploration", exact: "exact value",
    move: "move", error: "error", speed: "{playouts} playouts · {speed}/s · {nodes} nodes · {memory}", full: "the memory is full", solve: "Exact values",
    why_visits: "{best} is chosen for the most visits: {visits} of {playouts}.", why_mean: "{other} has a higher mean ({high} % against {low} %), from {visits} visits only: with few visits a mean is uncertain, and the search trusts what it has tried most.",
    why_proven: "{best} is proven: {result}.", win: "it wins", loss: "every move loses", why_draw: "it draws, and no move wins", why_best_mean: "It also has the highest mean, {mean} %.",
    value_curve: "Value of the best move (%)", tree: "Tree", nothing_yet: "No search yet: press Start.", over: "The game is over: nothing to search.",
    exact_value: "Exact value for the side to move: {value}", unsolved: "Not solved in time.", legend: "{number}: from {low} to {high}",
    review_it: "Review the game", stop: "Stop", progress: "{done} of {all} positions", loss_column: "loss (%)", best: "best", before: "before", after: "after", no_moves: "Play or load a game first.",
    worst: "Largest losses first", export_html: "Save as HTML", export_json: "Save with analysis (JSON)", export_sgf: "Save with analysis (SGF)", first_value: "Value for the first player (%)",
    help_text: "Arrow keys move on the board, Enter plays. U: undo. H: hint. N: new game. S: start or pause the search. V: hide or show the colours. Learn: F and B one simulation on and back, R: run, 1, 2, 3: descent, playout, update, + and −: one node or move on and back. Comma and full stop: back and on. Escape: stop everything.",
    learn: "Learn", shelf: "Shelf", level: "Level {n}", levels: "Levels",
    simulation: "Simulation", simulation_of: "Simulation {k} of {search}", step_back: "One simulation back", step_on: "One simulation on", run: "Run", parts: "Parts of a simulation",
    descent: "Descent", playout: "Playout", update: "Update", root: "root", path: "Nodes of the descent", score: "score", code: "AMAF code {code}", code_column: "code", amaf_visits: "AMAF tally: {visits}",
    node_status: "{who} chooses, at the node: {path}", node_visits: "{visits} visits so far.", node_new: "The node is new.", lender: "AMAF values come from the node: {node}.",
    ended_playout: "A playout follows.", ended_end: "The game is over here.", ended_proven: "The result is proven here.", ended_repetition: "The position has come back: it is scored.",
    playout_of: "{plies} random moves to the end. {result}", playout_cut: "{plies} moves, then the playout is cut. {result}", estimated: "The position is worth {value} % to {who}, by the evaluation", playout_begins: "The playout begins", ply: "Move of the playout", more_moves: "and {more} more moves", more_changes: "and {more} more tallies",
    update_status: "Tallies that changed: {changes}", update_note: "Visits/wins/draws for the player to move at the node. Rings on the board: the move that was chosen, and moves whose AMAF tally changed.",
    node: "node", tally: "tally", was: "before", is: "after", kind_direct: "move", kind_amaf: "AMAF", kind_code: "code (GRAVE)", kind_mast: "MAST", kind_weighted: "weighted", kind_implicit: "minimax", everywhere: "whole search",
    proved: "Proven at the node {node}: {move} is {result}.", proof_win: "a win", proof_loss: "a loss", proof_draw: "a draw",
    proven_after: "The result is proven after {last} simulations.", of_events: "of {last}", event_of: "Event {at} of {all}", document: "More: document {number} of the course, in docs/course.md.",
    walk_title: "Alpha-beta to depth {depth}", enters: "Enter {move} with the window {window}.", enters_leaf: "Enter {move} with the window {window}: a leaf, which is evaluated.", leaves: "Leave {move} with {score}.", cut_off: "Cut-off: {count} moves are not looked at.",
    walk_over: "The search is over: {score}, line {line}.", walk_cut: "The search is longer than what can be shown: this is its first part. Choose a smaller depth.", walk_note: "Scores are for the player who searches: ▲ wants much, ▼ little. The window says what both are sure of elsewhere.",
    position: "position", player: "player", window: "window", tried: "tried", wins_in: "win in {plies}", loses_in: "loss in {plies}",
    open_tree: "Show the moves after {move}", tree_of: "Tree, by visits", then: "Then {move}",
    shelf_empty: "There are no results in the folders that the server was given: start it with sylve serve --shelf FOLDER.", tournament: "Tournament", experiment: "Experiment", games_done: "{done} of {all} games", running_now: "running", rating: "rating", games: "games", standings: "Ratings", crosstable: "Cross table", latest: "Games", open_game: "Open", verdict: "verdict", back_to_shelf: "All entries", refresh: "Refresh", result: "result", first_player: "first", second_player: "second", more_games: "Further games",
    why_only: "the only move", why_untried: "not tried yet", why_untried_of: "not tried yet, the first of {n} such moves", why_others_lose: "every other move is proven to lose", why_equal: "the first of {n} moves with the highest score, {a}", why_highest: "the highest score, {a}; the next is {b} with {c}",
    why_turn: "its turn: every move gets the same number of playouts, one after the other", why_none: "no move is chosen: the playout begins here", why_draws: "the largest draw, {a}", why_lost: "proven to lose: not tried again",
    White: "White", Black: "Black", Red: "Red", Yellow: "Yellow", move_pass: "pass", move_swap: "swap",
  },
  fr: {
    play: "Jouer", analyse: "Analyser", review: "Revoir", skip: "Aller au plateau", language: "English",
    theme: "Sombre ou clair", help: "Aide", close: "Fermer", offline: "Le serveur ne répond pas. Nouvel essai…",
    stranger: "Le serveur a redémarré : ouvrez l'adresse qu'il a affichée.",
    game: "Jeu", size: "Plateau", seconds: "Secondes par coup", first: "Premier joueur", second: "Second joueur", person: "Personne",
    searches: "Recherches", new_game: "Nouvelle partie", undo: "Annuler", hint: "Conseil", resign: "Abandonner", swap: "Changer de camp",
    type_move: "Écrire un coup", play_it: "Jouer", record: "Partie enregistrée", save: "Enregistrer", load: "Ouvrir un fichier", usual: "taille usuelle", paste: "Coller une partie ou une position",
    read: "Lire", to_move: "Trait à {who}", won: "{who} gagne", won_by: "{who} gagne de {points}", draw: "Partie nulle",
    resigned: "{loser} abandonne : {who} gagne", thinking: "{who} réfléchit…", played: "{who} joue {move}.", hint_is: "Conseil : {move}",
    looking_back: "Coup {at} sur {all}", empty: "vide", can_play: "jouable", can_move: "peut bouger", board_of: "Plateau de {game}",
    other_moves: "Autres coups", move_list: "Coups", begin: "Au début", back: "Un coup en arrière", on: "Un coup en avant", end: "À la fin",
    search: "Recherche", second_search: "Seconde recherche", none: "aucune", number: "Couleurs du plateau", seed: "Graine", threads: "Fils", memory: "Mémoire (Mio)", playouts: "Simulations",
    start: "Lancer", pause: "Pause", deeper: "Deux fois plus loin", visits: "visites", mean: "moyenne (%)", amaf: "moyenne AMAF (%)", beta: "bêta", exploration: "exploration", exact: "valeur exacte",
    move: "coup", error: "erreur", speed: "{playouts} simulations · {speed}/s · {nodes} nœuds · {memory}", full: "la mémoire est pleine", solve: "Valeurs exactes",
    why_visits: "{best} est choisi car il a le plus de visites : {visits} sur {playouts}.", why_mean: "{other} a une moyenne plus haute ({high} % contre {low} %), mais sur {visits} visites seulement : avec peu de visites une moyenne est incertaine, et la recherche se fie à ce qu'elle a le plus essayé.",
    why_proven: "{best} est prouvé : {result}.", win: "il gagne", loss: "tous les coups perdent", why_draw: "il fait nulle, et aucun coup ne gagne", why_best_mean: "Il a aussi la plus haute moyenne, {mean} %.",
    value_curve: "Valeur du meilleur coup (%)", tree: "Arbre", nothing_yet: "Pas encore de recherche : appuyez sur Lancer.", over: "La partie est finie : rien à chercher.",
    exact_value: "Valeur exacte pour le joueur au trait : {value}", unsolved: "Pas résolu à temps.", legend: "{number} : de {low} à {high}",
    review_it: "Revoir la partie", stop: "Arrêter", progress: "{done} positions sur {all}", loss_column: "perte (%)", best: "meilleur", before: "avant", after: "après", no_moves: "Jouez ou ouvrez d'abord une partie.",
    worst: "Les plus grandes pertes d'abord", export_html: "Enregistrer en HTML", export_json: "Enregistrer avec l'analyse (JSON)", export_sgf: "Enregistrer avec l'analyse (SGF)", first_value: "Valeur pour le premier joueur (%)",
    help_text: "Les flèches déplacent sur le plateau, Entrée joue. U : annuler. H : conseil. N : nouvelle partie. S : lancer ou arrêter la recherche. V : cacher ou montrer les couleurs. Apprendre : F et B une simulation en avant et en arrière, R : dérouler, 1, 2, 3 : descente, partie aléatoire, mise à jour, + et − : un nœud ou un coup en avant et en arrière. Virgule et point : reculer et avancer. Échap : tout arrêter.",
    learn: "Apprendre", shelf: "Résultats", level: "Niveau {n}", levels: "Niveaux",
    simulation: "Simulation", simulation_of: "Simulation {k} de {search}", step_back: "Une simulation en arrière", step_on: "Une simulation en avant", run: "Dérouler", parts: "Parties d'une simulation",
    descent: "Descente", playout: "Partie aléatoire", update: "Mise à jour", root: "racine", path: "Nœuds de la descente", score: "score", code: "code AMAF {code}", code_column: "code", amaf_visits: "compte AMAF : {visits}",
    node_status: "{who} choisit, au nœud : {path}", node_visits: "{visits} visites jusqu'ici.", node_new: "Le nœud est nouveau.", lender: "Les valeurs AMAF viennent du nœud : {node}.",
    ended_playout: "Une partie aléatoire suit.", ended_end: "La partie est finie ici.", ended_proven: "Le résultat est prouvé ici.", ended_repetition: "La position est revenue : elle est comptée.",
    playout_of: "{plies} coups aléatoires jusqu'à la fin. {result}", playout_cut: "{plies} coups, puis la partie est coupée. {result}", estimated: "La position vaut {value} % pour {who}, selon l'évaluation", playout_begins: "La partie aléatoire commence", ply: "Coup de la partie aléatoire", more_moves: "et {more} autres coups", more_changes: "et {more} autres comptes",
    update_status: "Comptes changés : {changes}", update_note: "Visites/gains/nulles pour le joueur au trait au nœud. Cercles sur le plateau : le coup choisi, et les coups dont le compte AMAF a changé.",
    node: "nœud", tally: "compte", was: "avant", is: "après", kind_direct: "coup", kind_amaf: "AMAF", kind_code: "code (GRAVE)", kind_mast: "MAST", kind_weighted: "pondéré", kind_implicit: "minimax", everywhere: "toute la recherche",
    proved: "Prouvé au nœud {node} : {move} est {result}.", proof_win: "gagnant", proof_loss: "perdant", proof_draw: "nul",
    proven_after: "Le résultat est prouvé après {last} simulations.", of_events: "sur {last}", event_of: "Étape {at} sur {all}", document: "En savoir plus : document {number} du cours, dans docs/course.md.",
    walk_title: "Alpha-bêta à la profondeur {depth}", enters: "On entre en {move} avec la fenêtre {window}.", enters_leaf: "On entre en {move} avec la fenêtre {window} : une feuille, qui est évaluée.", leaves: "On quitte {move} avec {score}.", cut_off: "Coupure : {count} coups ne sont pas examinés.",
    walk_over: "La recherche est finie : {score}, variante {line}.", walk_cut: "La recherche est trop longue pour être montrée : en voici le début. Choisissez une profondeur plus petite.", walk_note: "Les scores sont ceux du joueur qui cherche : ▲ veut beaucoup, ▼ peu. La fenêtre dit ce dont les deux sont sûrs ailleurs.",
    position: "position", player: "joueur", window: "fenêtre", tried: "essayés", wins_in: "gain en {plies}", loses_in: "perte en {plies}",
    open_tree: "Montrer les coups après {move}", tree_of: "Arbre, par visites", then: "Ensuite {move}",
    shelf_empty: "Il n'y a pas de résultats dans les dossiers donnés au serveur : lancez-le par sylve serve --shelf DOSSIER.", tournament: "Tournoi", experiment: "Expérience", games_done: "{done} parties sur {all}", running_now: "en cours", rating: "classement", games: "parties", standings: "Classement", crosstable: "Tableau croisé", latest: "Parties", open_game: "Ouvrir", verdict: "verdict", back_to_shelf: "Toutes les entrées", refresh: "Actualiser", result: "résultat", first_player: "premier", second_player: "second", more_games: "Autres parties",
    why_only: "le seul coup", why_untried: "pas encore essayé", why_untried_of: "pas encore essayé, le premier de {n} coups dans ce cas", why_others_lose: "tous les autres coups sont prouvés perdants", why_equal: "le premier de {n} coups au score le plus haut, {a}", why_highest: "le score le plus haut, {a} ; ensuite {b} avec {c}",
    why_turn: "c'est son tour : chaque coup reçoit autant de simulations, l'un après l'autre", why_none: "aucun coup n'est choisi : la partie aléatoire commence ici", why_draws: "le plus grand tirage, {a}", why_lost: "prouvé perdant : il n'est plus essayé",
    White: "Blanc", Black: "Noir", Red: "Rouge", Yellow: "Jaune", move_pass: "passer", move_swap: "échanger",
  },
};
let current = "en";

export function setLanguage(wanted) {
  current = wanted in WORDS ? wanted : "en";
  document.documentElement.lang = current;
}
export const language = () => current;

/** A sentence, with what stands in braces filled in; the key itself if there is none. */
export function t(key, given = {}) {
  const text = WORDS[current][key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in given ? given[name] : whole));
}

// The server says in English why a simulation chose a move; these are the sentences it has.
const REASONS = [
  [/^the only move$/, "why_only"], [/^not tried yet$/, "why_untried"], [/^not tried yet, the first of (?<n>\d+) such moves?$/, "why_untried_of"],
  [/^every other move is proven to lose$/, "why_others_lose"], [/^the first of (?<n>\d+) moves with the highest score, (?<a>\S+)$/, "why_equal"],
  [/^the highest score, (?<a>[^;]+); the next is (?<b>\S+) with (?<c>\S+)$/, "why_highest"], [/^its turn: every move gets/, "why_turn"],
  [/^no move is chosen: the playout begins here$/, "why_none"], [/^the largest draw, (?<a>\S+)$/, "why_draws"], [/^proven to lose: not tried again$/, "why_lost"],
];

/** A reason in the reader's language; as it is where it is none of these, such as a formula. */
export function reason(text) {
  for (const [pattern, key] of REASONS) {
    const found = pattern.exec(text);
    if (found) return t(key, found.groups ?? {});
  }
  return text;
}
export const colour = (name) => t(name);
export const keys = () => Object.fromEntries(Object.entries(WORDS).map(([name, words]) => [name, Object.keys(words)]));
