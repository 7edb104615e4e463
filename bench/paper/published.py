"""What the paper reports."""

# Average outer iterations, at C = 0.005, 0.05, 0.5.
ITERATIONS = {
    "liver": {
        "spicy_hinge": (22.6, 14.1, 6.7),
        "spicy_logistic": (20.1, 14.5, 3.3),
        "simplemkl": (200.3, 222.2, 134.2),
        "hessianmkl": (13.2, 11.8, 9.4),
        "levelmkl": (171.6, 138.0, 50.1),
        "silp": (718.8, 517.2, 237.8),
    },
    "pima": {
        "spicy_hinge": (31.5, 13.6, 7.9),
        "spicy_logistic": (21.5, 13.9, 3.2),
        "simplemkl": (76.2, 74.9, 24.6),
        "hessianmkl": (15.4, 12.2, 10.2),
        "levelmkl": (290.7, 197.9, 30.9),
        "silp": (1020.1, 727.1, 258.0),
    },
    "ionosphere": {
        "spicy_hinge": (38.0, 18.3, 7.8),
        "spicy_logistic": (24.6, 17.1, 5.4),
        "simplemkl": (184.5, 188.6, 57.8),
        "hessianmkl": (11.3, 10.3, 14.4),
        "levelmkl": (100.9, 135.6, 65.5),
        "silp": (1810.3, 1580.1, 972.0),
    },
    "wpbc": {
        "spicy_hinge": (24.0, 13.2, 6.0),
        "spicy_logistic": (24.4, 14.4, 2.0),
        "simplemkl": (45.4, 49.1, 40.9),
        "hessianmkl": (11.6, 10.7, 7.2),
        "levelmkl": (61.3, 60.8, 55.4),
        "silp": (683.6, 514.2, 367.0),
    },
    "sonar": {
        "spicy_hinge": (35.2, 16.6, 7.7),
        "spicy_logistic": (27.2, 16.8, 4.2),
        "simplemkl": (158.3, 204.8, 173.3),
        "hessianmkl": (10.3, 10.6, 19.6),
        "levelmkl": (193.0, 194.2, 154.4),
        "silp": (4484.6, 4356.4, 3862.3),
    },
}

# SVM evaluations of SimpleMKL; those of the others are their outer iterations.
SIMPLEMKL_SVMS = {
    "liver": (3770.2, 4800.0, 2200.5),
    "pima": (1488.9, 1511.7, 470.9),
    "ionosphere": (2864.1, 2983.1, 1374.4),
    "wpbc": (1014.2, 1134.7, 964.4),
    "sonar": (2736.8, 3535.3, 3511.4),
}

# How many times faster SpicyMKL (hinge) is said to be on the UCI sets, from and to.
UCI_FACTORS = {"silp": (4, 670), "simplemkl": (6, 60), "levelmkl": (3, 50)}
